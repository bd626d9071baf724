import { sql } from 'kysely'
import type { Parley } from '../../parley.ts'
import type { Log } from '../../platform/log.ts'

interface Check {
  ok: boolean
  says?: string
}

const PATIENCE_MS = 2000

/** Whether this server can do its work: the database answers, its tables are the ones this program knows, the bus is up. */
export async function checkReadiness({ db, migrations, isBusHealthy, log }: Parley) {
  const [database, tables] = await Promise.all([
    check(log, async () => {
      await sql`select 1`.execute(db)
      return { ok: true }
    }),
    check(log, async () => {
      const { pending } = await migrations()
      return pending.length > 0 ? { ok: false, says: `Not applied yet: ${pending.join(', ')}` } : { ok: true }
    }),
  ])
  const bus: Check = isBusHealthy() ? { ok: true } : { ok: false, says: 'The bus (REDIS_URL) does not answer.' }
  return { ok: database.ok && tables.ok && bus.ok, database, migrations: tables, bus }
}

/** Everybody may ask, so why the database fails (with its address, or who signs in there) goes into the log alone. */
async function check(log: Log, look: () => Promise<Check>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<Check>((settle) => {
    timer = setTimeout(() => settle({ ok: false, says: 'No answer within two seconds.' }), PATIENCE_MS)
  })
  try {
    return await Promise.race([look(), tooLate])
  } catch (error) {
    log.warn({ err: error }, 'not ready')
    return { ok: false, says: 'The database does not answer.' }
  } finally {
    clearTimeout(timer)
  }
}
