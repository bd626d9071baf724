import { readdir, readFile, readlink, realpath, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import { OperatorError } from '../../operator-error.ts'
import { removeSocket } from './listening.ts'

/** Which process runs a cluster, and where it listens. */
interface PidFile {
  pid: number
  port: number
  /** An address if it listens on no socket. */
  socketFolder: string
}

/**
 * Stops what a crash left running before a new postmaster starts. When our server was killed, its postmaster lives on
 * and is shut down properly. When the postmaster was killed, its children may need a moment to notice. The caller holds
 * the lock of the data folder, so these processes no longer belong to a running server.
 */
export async function clearLeftovers(cluster: string, log: Log): Promise<void> {
  const file = await readPidFile(cluster)
  if (!file) return
  if (await isPostmaster(file, cluster)) {
    log.warn('Stopping the database that the previous server left running')
    await endProcess(file.pid, ['SIGINT', 'SIGQUIT', 'SIGKILL'])
  }
  const remaining = await processesIn(cluster)
  await Promise.all(remaining.map((pid) => endProcess(pid, ['SIGTERM', 'SIGQUIT', 'SIGKILL'])))
  await removeSocket(file.socketFolder)
  // PostgreSQL removes a stale pid file whose number is free. It refuses to start when the number now belongs to
  // another process, or to a zombie that nobody collects (no init process in a container).
  if (isTaken(file.pid)) await unlink(resolve(cluster, 'postmaster.pid')).catch(() => undefined)
}

/** See PostgreSQL's miscadmin.h, "Lock file": number, folder, start, port, socket folder, … */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const content = await readFile(resolve(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketFolder] = content.split('\n')
  return Number(pid) > 0 ? { pid: Number(pid), port: Number(port), socketFolder: socketFolder ?? '' } : undefined
}

async function isPostmaster(file: PidFile, cluster: string): Promise<boolean> {
  if (!(await isAlive(file.pid))) return false
  if (process.platform === 'linux') return (await processesIn(cluster)).includes(file.pid)
  return new Promise((answer) => {
    const path = `${file.socketFolder}/.s.PGSQL.${file.port}`
    const probe = file.socketFolder ? connect({ path }) : connect({ host: '127.0.0.1', port: file.port })
    probe.once('connect', () => answer(true)).once('error', () => answer(false))
    probe.once('connect', () => probe.destroy())
  })
}

/** Every PostgreSQL process has its cluster as working directory; only Linux shows that. */
export async function processesIn(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const folder = await realpath(cluster)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => folders[index] === folder).map(Number)
}

async function endProcess(pid: number, signals: NodeJS.Signals[]): Promise<void> {
  for (const signal of signals) {
    if (!sendSignal(pid, signal)) break
    // A stopped process receives no other signal until it continues.
    sendSignal(pid, 'SIGCONT')
    for (let waited = 0; waited < TIMEOUT && (await isAlive(pid)); waited += STEP) await sleep(STEP)
    if (!(await isAlive(pid))) return
  }
  if (await isAlive(pid)) {
    throw new OperatorError(
      `A database process of an earlier server (process ID ${pid}) does not stop: end it by hand, then start Parley again.`,
    )
  }
}

/** @returns false when there is no such process of ours */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Milliseconds a process may take to react to a signal, and between two checks. */
const TIMEOUT = 15_000
const STEP = 20

/** Whether the process still runs; a zombie does not. */
async function isAlive(pid: number): Promise<boolean> {
  if (!isTaken(pid)) return false
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
}

/** Whether a process has this number. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
