import { sql } from 'kysely'
import type { Change, Db } from '../../platform/db/change.ts'

/** How the mailbox that takes the mail of the whole installation stands. */
interface Noted {
  /** Which mailbox: what is noted of another one counts no longer. */
  place: string
  cursor?: object
  /** Why it cannot be read, as a sentence; null while it is. */
  problem: string | null
}

/** How far the mailbox was read; undefined for one that never was. */
export async function loadCatchAll(db: Db, place: string): Promise<object | undefined> {
  const noted = await read(db)
  return noted?.place === place ? noted.cursor : undefined
}

/** Why no mail comes in by the mailbox, as a sentence for admins; null while it does, or where there is none. */
export async function findCatchAllProblem(db: Db): Promise<string | null> {
  return (await read(db))?.problem ?? null
}

/** Notes how far the mailbox was read, or what is wrong with it. What is left out stays. */
export async function noteCatchAll(
  { db }: Change,
  place: string,
  noted: { cursor?: object; problem?: string | null },
): Promise<void> {
  const next = JSON.stringify({ place, ...noted })
  await db
    .updateTable('installation')
    .set({
      mail_in: sql`case when mail_in ->> 'place' = ${place} then mail_in || ${next}::jsonb else ${next}::jsonb end`,
    })
    .execute()
}

async function read(db: Db): Promise<Noted | undefined> {
  const { mail_in } = await db.selectFrom('installation').select('mail_in').executeTakeFirstOrThrow()
  return (mail_in as Noted | null) ?? undefined
}
