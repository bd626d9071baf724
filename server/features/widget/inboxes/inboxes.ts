import type { Selectable } from 'kysely'
import type { Inbox, InboxDraft } from '#contract/widget/inboxes.ts'
import { inboxDeleted, inboxUpdated } from '#contract/widget/inboxes.ts'
import type { WorkingHours } from '#contract/widget/working-hours.ts'
import { Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import { type Change, type Db, type FieldChanges, fieldChanges, hasChanges } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'

const columns = [
  'id',
  'account_id',
  'name',
  'description',
  'slug',
  'is_primary',
  'team_id',
  'is_private',
  'working_hours',
  'sender_name',
  'mail_signature',
  'rating_mail_hours',
  'first_answers',
  'created_at',
  'updated_at',
] as const

type InboxRow = Pick<Selectable<Database['inboxes']>, (typeof columns)[number]>

function presentInbox(row: InboxRow): Inbox {
  return { ...row, object: 'inbox', working_hours: row.working_hours as unknown as WorkingHours[] | null }
}

/** A draft as values of columns. */
function toValues<Draft extends Partial<InboxDraft>>({ working_hours, ...draft }: Draft) {
  return {
    ...draft,
    ...(working_hours !== undefined && { working_hours: working_hours && toJson(working_hours) }),
  }
}

/** All inboxes of an account, most recently updated first. */
export async function listInboxes(db: Db, account_id: string): Promise<Inbox[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('inboxes')
    .select(columns)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(presentInbox)
}

export async function getInbox(db: Db, account_id: string, id: string): Promise<Inbox> {
  const row = await selectInbox(db, account_id, id).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentInbox(row)
}

function selectInbox(db: Db, account_id: string, id: string) {
  return ofAccount(db, account_id).selectFrom('inboxes').select(columns).where('id', '=', id)
}

export async function findPrimaryInbox(db: Db, account_id: string): Promise<Inbox | null> {
  const row = await ofAccount(db, account_id)
    .selectFrom('inboxes')
    .select(columns)
    .where('is_primary', '=', true)
    .executeTakeFirst()
  return row ? presentInbox(row) : null
}

export async function getInboxIds(db: Db, account_id: string): Promise<string[]> {
  const rows = await ofAccount(db, account_id).selectFrom('inboxes').select('id').execute()
  return rows.map((row) => row.id)
}

/**
 * The inbox named by a client, or the primary one by default. Undefined if the account has no such inbox.
 * @returns its id, its name, its team, its own working hours, when the assistant answers first, and whether it requires
 * signed identity
 */
export async function chooseInbox(db: Db, account_id: string, inbox_id: string | null | undefined) {
  return ofAccount(db, account_id)
    .selectFrom('inboxes')
    .select(['id', 'name', 'team_id', 'requires_signed_identity', 'working_hours', 'first_answers'])
    .where((eb) => (inbox_id ? eb('id', '=', inbox_id) : eb('is_primary', '=', true)))
    .executeTakeFirst()
}

/** Adds an inbox together with its widget settings, so that reading them never has to create any. */
export async function createInbox(
  { db, announce }: Change,
  account_id: string,
  draft: InboxDraft & { is_primary?: boolean },
): Promise<Inbox> {
  const row = await db
    .insertInto('inboxes')
    .values({ id: newId(), account_id, ...toValues(draft) })
    .returning(columns)
    .executeTakeFirstOrThrow()
  await db.insertInto('widget_settings').values({ id: newId(), account_id, inbox_id: row.id }).execute()
  announce(account_id, inboxUpdated, { inbox: presentInbox(row) })
  return presentInbox(row)
}

/**
 * Makes these the inboxes of a team, and no others. An inbox of another team changes to this one.
 * @throws Invalid if the account lacks one of them
 */
export async function setInboxesOfTeam(
  { db, announce }: Change,
  account_id: string,
  team_id: string,
  inbox_ids: string[],
): Promise<void> {
  const inboxes = await listInboxes(db, account_id)
  const unknown = inbox_ids.some((id) => !inboxes.some((inbox) => inbox.id === id))
  if (unknown) throw new Invalid({ inbox_ids: ['do not exist'] })
  for (const inbox of inboxes.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const isOfTeam = inbox.team_id === team_id
    if (isOfTeam === inbox_ids.includes(inbox.id)) continue
    const row = await ofAccount(db, account_id)
      .updateTable('inboxes')
      .set({ team_id: isOfTeam ? null : team_id, updated_at: new Date().toISOString() })
      .where('id', '=', inbox.id)
      .returning(columns)
      .executeTakeFirstOrThrow()
    announce(account_id, inboxUpdated, { inbox: presentInbox(row) })
  }
}

/** @returns the updated inbox, and the changed fields */
export async function updateInbox(
  { db, announce }: Change,
  account_id: string,
  id: string,
  wanted: Partial<InboxDraft>,
): Promise<{ inbox: Inbox; changes: FieldChanges }> {
  const before = await lockInbox({ db }, account_id, id)
  const changes = fieldChanges(before, wanted)
  if (!hasChanges(changes)) return { inbox: before, changes }
  const row = await ofAccount(db, account_id)
    .updateTable('inboxes')
    .set({ ...toValues(wanted), updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  announce(account_id, inboxUpdated, { inbox: presentInbox(row) })
  return { inbox: presentInbox(row), changes }
}

/** Locks an inbox until the transaction ends, so that no conversation starts in it. Every change locks it first. */
export async function lockInbox({ db }: Pick<Change, 'db'>, account_id: string, id: string): Promise<Inbox> {
  const row = await selectInbox(db, account_id, id).forUpdate().executeTakeFirst()
  if (!row) throw new NotFound()
  return presentInbox(row)
}

/**
 * Deletes a locked inbox and its widget settings.
 * @throws Unacceptable for the primary inbox and for one with conversations: messages of customers must not be lost
 */
export async function deleteInbox({ db, announce }: Change, locked: Inbox): Promise<void> {
  assertNotPrimary(locked)
  const { account_id, id } = locked
  const held = await ofAccount(db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where('inbox_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (held) {
    throw new Unacceptable('This inbox has conversations. To move them, send the id of another inbox as `move_to`.')
  }
  await ofAccount(db, account_id).deleteFrom('inboxes').where('id', '=', id).execute()
  announce(account_id, inboxDeleted, { inbox_id: id })
}

/** @throws Unacceptable for the primary inbox, which stays */
export function assertNotPrimary({ is_primary }: Inbox): void {
  if (!is_primary) return
  throw new Unacceptable('The primary inbox cannot be deleted, because conversations arrive there by default.')
}
