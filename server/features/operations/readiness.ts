import { sql } from 'kysely'
import { messageOf } from '../../errors.ts'
import type { Parley } from '../../parley.ts'

interface Check {
  ok: boolean
  says?: string
}

const PATIENCE_MS = 2000

/** Whether this server can do its work: the database answers, its tables are the ones this program knows, the bus is up. */
export async function checkReadiness({ db, migrations, isBusHealthy }: Parley) {
  const [database, tables] = await Promise.all([
    check(async () => void (await sql`select 1`.execute(db))),
    check(async () => {
      const { pending } = await migrations()
      if (pending.length > 0) throw new Error(`Not applied yet: ${pending.join(', ')}`)
    }),
  ])
  const bus: Check = isBusHealthy() ? { ok: true } : { ok: false, says: 'The bus (REDIS_URL) does not answer.' }
  return { ok: database.ok && tables.ok && bus.ok, database, migrations: tables, bus }
}

async function check(work: () => Promise<void>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No answer within two seconds.')), PATIENCE_MS)
  })
  try {
    await Promise.race([work(), tooLate])
    return { ok: true }
  } catch (error) {
    return { ok: false, says: messageOf(error) }
  } finally {
    clearTimeout(timer)
  }
}
