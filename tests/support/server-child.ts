import pino from 'pino'
import { readConfig } from '#server/config.ts'
import { resolveDataFolder } from '#server/data-folder.ts'
import type { ConnectionConfig } from '#server/platform/db/connection.ts'
import { startEmbeddedDatabase } from '#server/platform/db/embedded.ts'
import { startServer } from '#server/start.ts'
import { eachMessage, messageJob } from './each-message.ts'

/**
 * The real server in a process of its own, with one more job for every message, which stores the message's id. So a
 * test can tell whether the job of each acknowledged message ran, whatever was killed meanwhile.
 */
const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' })
// Comes first, as in the real process: as root, the database takes over the empty folder and its owner.
const config = await resolveDataFolder(readConfig(process.env), log)
// A test that does not kill the database passes the one of its run.
const { TEST_DATABASE } = process.env
const embedded = TEST_DATABASE
  ? undefined
  : await startEmbeddedDatabase({ dataDir: config.dataDir, log, onExit: () => process.exit(1) })
const database: ConnectionConfig = embedded?.connection ?? JSON.parse(TEST_DATABASE!)
const recordMessage = messageJob('chaos.record', async ({ db }, { account_id, message_id }) => {
  await db
    .insertInto('chaos_jobs' as 'messages')
    .values({ account_id, id: message_id } as never)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
})
const server = await startServer({
  config,
  database,
  log,
  extra: {
    name: 'chaos',
    consumers: [eachMessage('chaos.record', recordMessage)],
    jobs: [recordMessage],
  },
})
process.on(
  'SIGTERM',
  () =>
    void server
      .stop()
      .then(() => embedded?.stop())
      .then(() => process.exit(0)),
)
process.send?.({ url: server.url, pid: process.pid, postmaster: embedded?.pid(), database })
