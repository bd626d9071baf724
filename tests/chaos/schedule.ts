import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { connect } from '#server/platform/db/connection.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { callUntilAnswered, openConversation, register } from './clients.ts'
import type { MovedClock } from './moved-clock.ts'

interface Run {
  dataDir: string
  /** Messages that are scheduled, a tenth of which are cancelled around their time. */
  planned: number
  kills: number
  /** Sets the clock of the server and its database an hour forward and back again and again, if given. */
  clock?: MovedClock
}

const PER_CONVERSATION = 20
/** A minute passes until the next run of the schedule, and one that was killed is noticed later. */
const PATIENCE_MS = 300_000

/**
 * Schedules messages, kills the server again and again while they become due and some are cancelled, and then counts
 * what was sent never, twice, or although it was cancelled.
 */
export async function scheduleThroughKills({ dataDir, planned, kills, clock }: Run) {
  const server = new ServerProcess(await freePort(), dataDir, { RATE_LIMITS: 'off', ...clock?.env })
  const { url, database } = await server.start()
  const connection = connect(database, pino({ level: 'silent' }))
  const { kysely: db } = connection
  try {
    const { account_id, token } = await register(url, 'schedule@acme.test')
    const ids = await plan(url, { account_id, token }, planned)
    const chosen = new Set(ids.filter((_, at) => at % 10 === 0))
    const cancelled = new Set<string>()
    const cancelling = (async () => {
      for (const id of chosen) {
        const { status } = await callUntilAnswered(url, 'DELETE', `/api/scheduled_messages/${id}`, undefined, token)
        if (status === 200) cancelled.add(id)
        await sleep(20)
      }
    })()
    await sql`update scheduled_messages set send_at = clock_timestamp() + random() * interval '20 seconds'`.execute(db)
    for (let kill = 0; kill < kills; kill++) {
      await sleep(1_500)
      await clock?.move(kill % 2 === 0 ? 3_600 : 0)
      await server.killAndRestart()
    }
    await cancelling
    // What became due later because the clock went back is due again now.
    await clock?.move(3_600)
    await waitUntilEmpty(db)
    const { rows: sent } = await sql<{ id: string }>`select id from messages`.execute(db)
    const isSent = new Set(sent.map(({ id }) => id))
    return {
      sent: ids.filter((id) => isSent.has(id)).length,
      cancelled: cancelled.size,
      // Where the answer to a cancellation was lost, its repetition finds nothing.
      missing: ids.filter((id) => !isSent.has(id) && !chosen.has(id)),
      sentAlthoughCancelled: [...cancelled].filter((id) => isSent.has(id)),
    }
  } finally {
    await connection.end()
    await server.stop()
  }
}

type Admin = { account_id: string; token: string }

async function plan(url: string, { account_id, token }: Admin, planned: number): Promise<string[]> {
  const ids: string[] = []
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  while (ids.length < planned) {
    const { conversation_id } = await openConversation(url, account_id)
    for (let i = 0; i < PER_CONVERSATION && ids.length < planned; i++) {
      const scheduled_message = { conversation_id, body: `Scheduled ${ids.length}`, send_at }
      const answer = await callUntilAnswered(url, 'POST', '/api/scheduled_messages', { scheduled_message }, token)
      ids.push(answer.body.data.id)
    }
  }
  return ids
}

async function waitUntilEmpty(db: Parameters<ReturnType<typeof sql>['execute']>[0]): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await sql`select 1 from scheduled_messages limit 1`.execute(db)
    if (rows.length === 0 || Date.now() > deadline) return
    await sleep(1_000)
  }
}
