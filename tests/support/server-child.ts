import pino from 'pino'
import { readConfig } from '#server/config.ts'
import { keepSecretKey, settleConfig } from '#server/data-folder.ts'
import type { ConnectionConfig } from '#server/platform/db/connection.ts'
import { startEmbeddedDatabase } from '#server/platform/db/embedded.ts'
import { startServer } from '#server/start.ts'
import { eachMessage, messageJob } from './each-message.ts'

/**
 * The real server in a process of its own, with one more job that follows from every message: it writes the message's
 * id down. So a test can tell whether each acknowledged message had its work done, whatever was killed meanwhile.
 */
const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' })
// First of all, as the process does: root's database takes the empty folder it is given, and is removed with it.
const config = await settleConfig(readConfig(process.env), log)
config.secretKey = await keepSecretKey(config)
// A test that kills no database brings the one of its run, which is there already.
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
