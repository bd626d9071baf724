import { sql } from 'kysely'
import type { Change, Db } from '../../../platform/db/change.ts'
import { toJson } from '../../../platform/db/to-json.ts'

/** The state of the mailbox that receives all mail of the installation. */
interface StoredState {
  /** Which mailbox: the stored state of another one is ignored. */
  place: string
  cursor?: object
  /** Why it cannot be read, as a sentence; null if it can. */
  problem: string | null
}

/** How far the mailbox was read; undefined if it never was. */
export async function loadCatchAll<Cursor extends object>(db: Db, mailbox: string): Promise<Cursor | undefined> {
  const stored = await read(db)
  return stored?.place === mailbox ? (stored.cursor as Cursor | undefined) : undefined
}

/** Why the mailbox receives no mail, as a sentence for admins; null if it works, or there is none. */
export async function findCatchAllProblem(db: Db): Promise<string | null> {
  return (await read(db))?.problem ?? null
}

/** Stores how far the mailbox was read, or its problem. Fields left out stay. */
export async function storeCatchAll(
  { db }: Change,
  mailbox: string,
  stored: { cursor?: object; problem?: string | null },
): Promise<void> {
  const next = toJson({ place: mailbox, ...stored })
  // Writes installation, too: the catch-all address is a column of the only row.
  await db
    .updateTable('installation')
    .set({
      mail_in: sql`case when mail_in ->> 'place' = ${mailbox} then mail_in || ${next}::jsonb else ${next}::jsonb end`,
    })
    .execute()
}

async function read(db: Db): Promise<StoredState | undefined> {
  const { mail_in } = await db.selectFrom('installation').select('mail_in').executeTakeFirstOrThrow()
  return (mail_in as StoredState | null) ?? undefined
}
