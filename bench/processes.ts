import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from './installation.ts'

/** What processes take, as /proc tells it. Linux only. */

export interface Memory {
  rss: number
  heapUsed: number
}

/** What the server takes once its garbage is collected, in bytes. */
export async function memoryOf({ server }: Installation): Promise<Memory> {
  server.send('collect')
  await sleep(500)
  const answer = new Promise<Memory>((resolve) => server.once('message', (memory) => resolve(memory as Memory)))
  server.send('memory')
  return answer
}

/** How late the server's event loop was since this was asked last: p50 and p99, milliseconds. Measured in steps of 5 ms, which count along. */
export function askDelay(server: ChildProcess): Promise<number[]> {
  const answer = new Promise<number[]>((resolve) => server.once('message', (delays) => resolve(delays as number[])))
  server.send('delay')
  return answer
}

export function residentBytes(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/** The postmaster and what it has started. */
export function databaseProcesses(postmaster: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid === postmaster || statOf(pid)[1] === String(postmaster))
}

/** Shared buffers count once: each process counts what is its own, the postmaster's share counts as a whole. */
export function databaseBytes(postmaster: number): number {
  return databaseProcesses(postmaster).reduce((sum, pid) => sum + proportionalBytes(pid), 0)
}

/** How long processes have kept a core busy since they began, with those that they started and that have ended. */
export function processorSeconds(pids: number[]): number {
  const TICKS_A_SECOND = 100
  const ticks = pids.map((pid) =>
    statOf(pid)
      .slice(11, 15)
      .reduce((sum, each) => sum + Number(each), 0),
  )
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_A_SECOND
}

/** What servers and their database take of the processor for each message, whatever else is at work on the machine. */
export function startCosts(servers: ChildProcess[], postmaster: number) {
  const spent = { servers: 0, database: 0 }
  const read = () => ({
    servers: processorSeconds(servers.map(({ pid }) => pid!)),
    database: processorSeconds(databaseProcesses(postmaster)),
  })
  return {
    /** Counts what is spent while this work is done. */
    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      const before = read()
      const result = await work()
      const after = read()
      spent.servers += after.servers - before.servers
      spent.database += after.database - before.database
      return result
    },
    describe(messages: number) {
      const each = (seconds: number) => `${((seconds * 1000) / messages).toFixed(2)} ms`
      return `${servers.length > 1 ? 'servers' : 'server'} ${each(spent.servers)}, database ${each(spent.database)}`
    },
  }
}

function proportionalBytes(pid: number): number {
  const [, kib] = /Pss:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/** The fields of a process from its state on; none when it has just ended. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    return []
  }
}
