import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { openConversation, register } from './clients.ts'
import type { FloodOrder } from './flooding.ts'
import { megabytesOf } from './megabytes.ts'

interface Run {
  dataDir: string
  agents: number
  /** Quiet and flooded turns alternate, so that changes of the machine's speed affect both. */
  rounds: number
  seconds: number
  /** Names of floods from `flooding.ts`; all of them if empty. */
  kinds: string[]
}

interface Times {
  quiet: number[]
  flooded: number[]
}

export interface FloodReport {
  /** Milliseconds of all actions of agents, at p50 and p95. */
  quiet: { p50: number; p95: number; count: number }
  flooded: { p50: number; p95: number; count: number }
  /** Peak memory during the floods of the server and its children, without the database. */
  megabytes: number
  /** Requests of agents that were refused. */
  refused: number
}

/** Runs all kinds of hostile load at once, while agents read lists and reply. */
export async function floodWhileAgentsWork({ dataDir, agents, rounds, seconds, kinds }: Run): Promise<FloodReport> {
  const server = new ServerProcess(await freePort(), dataDir, { RATE_LIMITS: 'on', TRUST_PROXY: '1' })
  const { url, pid } = await server.start()
  const times: Times = { quiet: [], flooded: [] }
  let refused = 0
  let megabytes = 0
  try {
    const ada = await register(url, 'ada@acme.test', 'Acme')
    const stranger = await register(url, 'olga@other.test', 'Other')
    const desks = []
    for (let i = 0; i < agents; i++) desks.push(await openConversation(url, ada.account_id))
    let phase: keyof Times = 'quiet'
    let hasEnded = false
    const work = desks.map(async ({ conversation_id }, i) => {
      // Agents do not all act in the same millisecond.
      await sleep(i * 50)
      for (let step = 0; !hasEnded; step++) {
        const started = performance.now()
        const during = phase
        const status = await act(url, ada.token, conversation_id, step)
        if (status >= 400) refused++
        if (phase === during) times[phase].push(performance.now() - started)
        await sleep(400)
      }
    })
    for (let round = 0; round < rounds; round++) {
      phase = 'quiet'
      await watchMemory(pid, seconds)
      const flood = startFlood({ url, account_id: stranger.account_id, token: stranger.token, kinds })
      await sleep(1_000)
      phase = 'flooded'
      megabytes = Math.max(megabytes, await watchMemory(pid, seconds))
      phase = 'quiet'
      flood.kill('SIGKILL')
      await sleep(3_000)
      times.quiet.splice(-agents * 8)
    }
    hasEnded = true
    await Promise.all(work)
  } finally {
    await server.stop()
  }
  return { quiet: summarise(times.quiet), flooded: summarise(times.flooded), megabytes, refused }
}

/** Reads the list, opens a thread, or replies. */
async function act(url: string, token: string, conversation_id: string, step: number): Promise<number> {
  const headers = { authorization: token, 'content-type': 'application/json' }
  const calls = [
    () => fetch(`${url}/api/conversations?status=open&messages=last`, { headers }),
    () => fetch(`${url}/api/messages?conversation_id=${conversation_id}`, { headers }),
    () => {
      const message = { id: randomUUID(), conversation_id, body: `Answer ${step}` }
      return fetch(`${url}/api/messages`, { method: 'POST', headers, body: JSON.stringify({ message }) })
    },
  ]
  const answer = await calls[step % calls.length]!()
  await answer.arrayBuffer()
  return answer.status
}

function startFlood(order: FloodOrder): ChildProcess {
  const child = fork(new URL('./flooding.ts', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  // It stands for machines of an attacker, so it gets only the processor time that the server leaves.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.send(order)
  return child
}

/** Also in quiet turns, because measuring takes time from the agents in this process. */
async function watchMemory(pid: number, seconds: number): Promise<number> {
  let peak = 0
  for (let second = 0; second < seconds; second++) {
    await sleep(1_000)
    peak = Math.max(peak, await megabytesOf(pid))
  }
  return peak
}

function summarise(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50: at(0.5), p95: at(0.95), count: sorted.length }
}
