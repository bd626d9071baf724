import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { messageOf } from '../../../errors.ts'
import type { Log } from '../../../platform/log.ts'
import { answerWithin } from '../../../platform/within-time.ts'
import { findUnconnectedServers } from './unconnected-servers.ts'

interface Check {
  ok: boolean
  says?: string
}

const TIMEOUT_MS = 2000
const NO_FILES = 'Attached files cannot be stored or read. See the log of this server for the reason.'
const READ_ONLY =
  'The database is read-only, so nothing can be stored. Check whether DATABASE_URL leads to the primary server.'
const FULL = 'The disk is full: nothing can be written until space is freed. Parley then continues automatically.'

/**
 * Whether this server can work: the database answers and has this version's migrations, there is disk space, and the
 * bus is connected. A file store or a consumer that fails is reported separately: it fails on every server, so taking
 * this one out of service would not help.
 */
export async function checkReadiness(context: Context) {
  const { db, migrations, isStorageFull, log } = context
  const [database, tables, storage, files, bus] = await Promise.all([
    check(log, async () => {
      const { rows } = await sql<{ is_read_only: boolean }>`
        select current_setting('transaction_read_only')::boolean as is_read_only`.execute(db)
      return rows[0]!.is_read_only ? { ok: false, says: READ_ONLY } : { ok: true }
    }),
    check(log, async () => {
      const { pending } = await migrations()
      return pending.length > 0 ? { ok: false, says: `Not applied yet: ${pending.join(', ')}` } : { ok: true }
    }),
    check(log, async () => ((await isStorageFull()) ? { ok: false, says: FULL } : { ok: true })),
    checkFiles(context),
    check(log, () => checkBus(context)),
  ])
  const ok = database.ok && tables.ok && storage.ok && bus.ok
  return { ok, database, migrations: tables, storage, bus, files, consumers: checkConsumers(context) }
}

/** Servers that nothing connects work, only less well, so they are not taken out of service for that. */
async function checkBus(context: Context): Promise<Check> {
  const problem = context.busProblem()
  if (problem !== undefined) return { ok: false, says: problem }
  const says = await findUnconnectedServers(context).catch(() => undefined)
  return says === undefined ? { ok: true } : { ok: true, says }
}

/** The reason, with the name of the bucket, is only logged: this is public. */
async function checkFiles({ files, log }: Context): Promise<Check> {
  try {
    return (
      (await answerWithin(
        TIMEOUT_MS,
        files.check().then(() => ({ ok: true })),
      )) ?? { ok: false, says: NO_FILES }
    )
  } catch (error) {
    log.warn({ reason: messageOf(error) }, 'The file store cannot be used')
    return { ok: false, says: NO_FILES }
  }
}

function checkConsumers({ eventLog }: Context): Check {
  const failing = eventLog.failing()
  if (failing.length === 0) return { ok: true }
  const lines = failing.map(({ name, failures, since }) => `${name} has failed ${failures} times since ${since}`)
  return { ok: false, says: `Being retried: ${lines.join('; ')}. See the log of this server for the reason.` }
}

/** Public, so the reason for a database failure (with address and user name) is only logged. */
async function check(log: Log, look: () => Promise<Check>): Promise<Check> {
  try {
    return (await answerWithin(TIMEOUT_MS, look())) ?? { ok: false, says: 'No response within two seconds.' }
  } catch (error) {
    log.warn({ err: error }, 'The server is not ready')
    return { ok: false, says: 'The database does not respond.' }
  }
}
