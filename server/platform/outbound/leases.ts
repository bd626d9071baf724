import { sql } from 'kysely'
import type { Db } from '../db/change.ts'
import { newId } from '../secrets.ts'

/** Longer than three attempts to renew. */
export const LEASE_SECONDS = 30
const RENEWED_MS = 10_000

/** Takes or renews a lease. False while another server holds it. */
export async function acquireLease(db: Db, name: string, holder: string): Promise<boolean> {
  const { rows } = await sql`
    insert into leases (name, holder, held_until)
    values (${name}, ${holder}, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))
    on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
    where leases.holder = excluded.holder or leases.held_until < clock_timestamp()
    returning name`.execute(db)
  return rows.length > 0
}

/** Releases a lease, so that another server can take it at once. */
export async function releaseLease(db: Db, name: string, holder: string): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}

/** Does work unless another holder of the lease is doing it, here or elsewhere. */
export async function withLease(db: Db, name: string, work: () => Promise<void>): Promise<void> {
  const holder = newId()
  if (!(await acquireLease(db, name, holder))) return
  const renewal = setInterval(() => void acquireLease(db, name, holder).catch(() => undefined), RENEWED_MS)
  try {
    await work()
  } finally {
    clearInterval(renewal)
    await releaseLease(db, name, holder)
  }
}
