import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { connect } from '#server/platform/db/connection.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { SeededRandom } from '../../bin/seed/seeded-random.ts'
import { openConversation, register, type Sender, sendOverHttp } from './clients.ts'
import { startListener } from './listener.ts'
import { findFaults } from './send.ts'

interface Run {
  dataDir: string
  serverKills: number
  databaseKills: number
  clients: number
  /** Called after each kill. */
  onKill?: (done: number) => void
}

/** Sockets of the team that receive all messages. */
const LISTENERS = 3
/** A job whose process was killed repeatedly waits longer each time, up to some minutes. */
const JOB_PATIENCE_MS = 300_000

/**
 * Kills the server again and again, and its database now and then, while clients write; then counts what is missing.
 */
export async function killUnderLoad({ dataDir, serverKills, databaseKills, clients, onKill }: Run) {
  const server = new ServerProcess(await freePort(), dataDir)
  const { url, database } = await server.start()
  const connection = connect(database, pino({ level: 'silent' }))
  try {
    await sql`create table if not exists chaos_jobs (account_id uuid not null, id text primary key)`.execute(
      connection.kysely,
    )
    const admin = await register(url, 'chaos@acme.test')
    const { account_id } = admin
    const listeners = Array.from({ length: LISTENERS }, () => startListener(url, admin))
    for (const listener of listeners) await listener.start()
    let hasEnded = false
    const senders = Array.from({ length: clients }, async () => {
      const opened = await openConversation(url, account_id)
      const parts: Sender[] = []
      // A client that only got through after the kills still sends something.
      do parts.push(await sendOverHttp(url, opened, 5, 2))
      while (!hasEnded)
      return join(opened.conversation_id, parts)
    })
    await sleep(300)
    await killMany(server, serverKills, databaseKills, onKill)
    hasEnded = true
    const sent = await Promise.all(senders)
    const acknowledged = sent.flatMap((sender) => [...sender.acknowledged])
    const missed = await Promise.all(listeners.map((listener) => listener.findMissed(acknowledged)))
    for (const listener of listeners) listener.stop()
    return {
      acknowledged: acknowledged.length,
      receivedLive: listeners.reduce((sum, { counts }) => sum + counts.live, 0),
      comebacks: listeners.reduce((sum, { counts }) => sum + counts.comebacks, 0),
      missedMessages: [...new Set(missed.flat())],
      faults: await findFaults(connection.kysely, sent),
      missingMessages: await missingFrom(connection.kysely, 'messages', acknowledged),
      missingJobs: await waitForJobs(connection.kysely, acknowledged),
    }
  } finally {
    await connection.end()
    await server.stop()
  }
}

async function killMany(
  server: ServerProcess,
  serverKills: number,
  databaseKills: number,
  onKill?: (done: number) => void,
) {
  const kills = serverKills + databaseKills
  const chance = new SeededRandom(20_261_121)
  for (let i = 0; i < kills; i++) {
    // Kills of the database are spread over the run.
    const isDatabase = databaseKills > 0 && i % Math.ceil(kills / databaseKills) === 1
    await (isDatabase ? server.killDatabase() : server.killAndRestart())
    onKill?.(i + 1)
    await sleep(100 + chance.below(400))
  }
}

function join(conversation_id: string, parts: Sender[]): Sender {
  return {
    conversation_id,
    sent: parts.flatMap((part) => part.sent),
    acknowledged: new Set(parts.flatMap((part) => [...part.acknowledged])),
  }
}

async function missingFrom(
  db: Parameters<typeof findFaults>[0],
  table: 'messages' | 'chaos_jobs',
  ids: string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) id where id not in (select id::text from ${sql.table(table)})`.execute(db)
  return rows.map(({ id }) => id)
}

/** The jobs of a dead process are retried after a while; this waits for that. */
async function waitForJobs(db: Parameters<typeof findFaults>[0], ids: string[]): Promise<string[]> {
  const deadline = Date.now() + JOB_PATIENCE_MS
  for (;;) {
    const missing = await missingFrom(db, 'chaos_jobs', ids)
    if (missing.length === 0 || Date.now() > deadline) return missing
    await sleep(500)
  }
}
