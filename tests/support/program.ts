import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/local/bin', '/usr/bin', '/opt/homebrew/sbin']
const READY_MS = 20_000
const ENDS_MS = 5_000

/** The path of an installed program, or undefined. */
export function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => `${folder}/${name}`).find((path) => existsSync(path))
}

/** A program in the foreground. */
export interface Program {
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>
}

/**
 * Starts a server program, and waits until it listens on a port of this machine.
 * @throws with its output if it ends or does not listen in time
 */
export async function startProgram(path: string, args: string[], port: number): Promise<Program> {
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => printed.push(String(text)))
  const until = Date.now() + READY_MS
  while (!(await isListening(port))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop(child)
      throw new Error(`${path} does not listen on ${port}: ${printed.join('')}`)
    }
    await sleep(50)
  }
  return { stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_MS)
  await ended
  clearTimeout(timer)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
