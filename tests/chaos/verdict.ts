import type { Db } from '#server/platform/db/change.ts'
import { percentile, report } from '../../bench/figures.ts'
import type { Experience } from './agents-at-work.ts'
import type { Sender } from './clients.ts'
import type { Observed } from './observed-servers.ts'

const P99_MS = 500
const GROWTH = 1.2

/** Prints how long agents waited for answers, before and under attack, and senders of mails for an acknowledgement. */
export function reportTimes(quiet: Experience, attacked: Experience, mailWaits: number[]): void {
  report('agents’ answers, quiet', describe(quiet.times))
  const p99 = percentile(attacked.times, 0.99)
  report(`agents’ answers, attacked [p99 ≤ ${P99_MS} ms]`, `${describe(attacked.times)}${verdict(p99 <= P99_MS)}`)
  report('honest mails, until acknowledged', describe(mailWaits))
}

function describe(times: number[]): string {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(0))
  const slowest = times.reduce((max, time) => Math.max(max, time), 0).toFixed(0)
  return `p50 ${p50}  p95 ${p95}  p99 ${p99}  max ${slowest} ms (n = ${times.length})`
}

/** Prints the memory of each server before, at its peak and after a rest, and the delay of its event loop. */
export function reportMemory(before: Observed[], during: Observed[], after: number[]): void {
  for (const [i, { megabytes, delay }] of before.entries()) {
    const isBack = after[i]! <= megabytes * GROWTH
    report(
      `server ${i + 1}: memory [after ≤ 1.2 × before]`,
      `${megabytes} MB before, ${during[i]!.megabytes} at the peak, ${after[i]} after a rest${verdict(isBack)}`,
    )
    report(
      '  longest delay of its event loop',
      `${delay.toFixed(0)} ms before, ${during[i]!.delay.toFixed(0)} ms attacked`,
    )
  }
}

function verdict(isMet: boolean): string {
  return isMet ? '' : ' MISSED'
}

/** Calls of agents that failed: those with a 5xx status are faults, the others are printed. */
export function judgeExperience(quiet: Experience, attacked: Experience): string[] {
  const faults: string[] = []
  for (const [when, { unanswered }] of Object.entries({ quiet, attacked }))
    for (const [status, count] of Object.entries(unanswered)) {
      if (status.startsWith('5')) faults.push(`agents got ${status} ${count} times while ${when}`)
      else report(`agents’ calls with ${status}, ${when}`, String(count))
    }
  return faults
}

/**
 * Faults of the stored messages. Several senders may write into one conversation: of each, every message is stored once
 * and in order, and the numbers of the conversation have no gap.
 */
export async function judgeMessages(db: Db, senders: Sender[]): Promise<string[]> {
  const faults: string[] = []
  for (const [conversation_id, group] of Map.groupBy(senders, (sender) => sender.conversation_id)) {
    const stored = await db
      .selectFrom('messages')
      .select(['id', 'number'])
      .where('conversation_id', '=', conversation_id)
      .orderBy('number')
      .execute()
    if (stored.some(({ number }, i) => number !== i + 1)) faults.push(`${conversation_id}: the numbers have a gap`)
    for (const { sent, acknowledged } of group) {
      const own = new Set(sent)
      const ids = stored.flatMap(({ id }) => (own.has(id) ? [id] : []))
      const missing = [...acknowledged].filter((id) => !ids.includes(id))
      faults.push(...missing.map((id) => `message ${id} was acknowledged and is not stored`))
      if (ids.length !== new Set(ids).size) faults.push(`${conversation_id}: an id is stored twice`)
      if (ids.join() !== sent.filter((id) => ids.includes(id)).join())
        faults.push(`${conversation_id}: the messages of a sender are out of order`)
    }
  }
  return faults
}
