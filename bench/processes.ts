import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from './installation.ts'

/** Memory and processor time of processes, from /proc. Linux only. */

export interface Memory {
  rss: number
  heapUsed: number
}

/** The server's memory in bytes after a garbage collection. */
export async function memoryOf({ server }: Installation): Promise<Memory> {
  server.send('collect')
  await sleep(500)
  const answer = new Promise<Memory>((resolve) => server.once('message', (memory) => resolve(memory as Memory)))
  server.send('memory')
  return answer
}

/**
 * Delay of the server's event loop since the last call: p50 and p99 in milliseconds. Includes the sampling interval of
 * 5 ms.
 */
export function measureDelay(server: ChildProcess): Promise<number[]> {
  const answer = new Promise<number[]>((resolve) => server.once('message', (delays) => resolve(delays as number[])))
  server.send('delay')
  return answer
}

/** The statements of some work, and in how many waves the server waited for them. */
export async function countStatements(server: ChildProcess, work: () => Promise<unknown>): Promise<string> {
  server.send('statements')
  await sleep(50)
  await work()
  const answer = new Promise<number[]>((resolve) => server.once('message', (counts) => resolve(counts as number[])))
  server.send('waves')
  const [statements, waves] = await answer
  return `${statements} statements in ${waves} waves`
}

export function residentBytes(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

/** The postmaster and its children. */
export function databaseProcesses(postmaster: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid === postmaster || statOf(pid)[1] === String(postmaster))
}

/** Counts shared buffers once: the private memory of each process, and all of the postmaster's. */
export function databaseBytes(postmaster: number): number {
  return databaseProcesses(postmaster).reduce((sum, pid) => sum + proportionalBytes(pid), 0)
}

/** Processor seconds of processes since their start, including ended children. */
export function processorSeconds(pids: number[]): number {
  const TICKS_A_SECOND = 100
  const ticks = pids.map((pid) =>
    statOf(pid)
      .slice(11, 15)
      .reduce((sum, each) => sum + Number(each), 0),
  )
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_A_SECOND
}

/** Measures the processor time of servers and their database per message, whatever else the machine is doing. */
export function startCosts(servers: ChildProcess[], postmaster: number) {
  const spent = { servers: 0, database: 0 }
  const read = () => ({
    servers: processorSeconds(servers.map(({ pid }) => pid!)),
    database: processorSeconds(databaseProcesses(postmaster)),
  })
  return {
    /** Measures while this work is done. */
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
  try {
    const [, kib = 0] = /Pss:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return Number(kib) * 1024
  } catch {
    // It has just ended.
    return 0
  }
}

/** The fields of /proc/<pid>/stat from the state on; none if the process has just ended. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    return []
  }
}
