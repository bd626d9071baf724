import { sql } from 'kysely'
import {
  countTexts,
  isViewConditionValid,
  MAX_VIEW_TEXTS,
  type ViewConditions,
} from '#contract/conversations/view-conditions.ts'
import {
  type ConversationView,
  type ConversationViewChanges,
  type ConversationViewDraft,
  conversationViewsUpdated,
  MAX_PERSONAL_VIEWS,
  MAX_SHARED_VIEWS,
} from '#contract/conversations/views.ts'
import { Forbidden, Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { type Change, type Db, fieldChanges } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { setPositions } from '../../../platform/db/positions.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { lockAccount } from '../../accounts/accounts/accounts.ts'
import { recordAudit, recordChanges } from '../../accounts/audit/audit.ts'
import { readWaitsUnlessKept } from '../rules/waits.ts'
import { findMissing } from './missing.ts'

const columns = ['id', 'name', 'user_id', 'conditions', 'sort', 'reads_waits', 'created_at', 'updated_at'] as const
type ViewRow = Omit<ConversationView, 'object' | 'is_personal' | 'missing'> & {
  user_id: number | null
  reads_waits: boolean
}

/** Shared views, then those of the caller: the personal ones of others do not exist for them. */
function selectViews(db: Db, { account_id, user_id }: Pick<User, 'account_id' | 'user_id'>) {
  return ofAccount(db, account_id)
    .selectFrom('conversation_views')
    .select(columns)
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', user_id)]))
    .orderBy(sql`user_id is not null`)
    .orderBy('position')
    .orderBy('id')
    .$castTo<ViewRow>()
}

async function presentViews(db: Db, account_id: string, rows: ViewRow[]): Promise<ConversationView[]> {
  const missing = await findMissing(db, account_id, rows)
  return rows.map(({ user_id, reads_waits, ...row }) => ({
    ...row,
    object: 'conversation_view',
    is_personal: user_id !== null,
    missing: missing.get(row.id) ?? [],
  }))
}

/** The views that the caller can use: shared ones, then their own, each in their order. */
export async function listViews(db: Db, caller: User): Promise<ConversationView[]> {
  return presentViews(db, caller.account_id, await selectViews(db, caller).execute())
}

/** Which conversations each view of the caller shows, for counting them. */
export function listViewFilters(db: Db, caller: User): Promise<ViewRow[]> {
  return selectViews(db, caller).execute()
}

/** @throws NotFound also for personal views of others */
export async function getView(db: Db, caller: User, id: string): Promise<ViewRow> {
  const row = await selectViews(db, caller).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return row
}

/**
 * Creates a view at the end of the list.
 * @throws Forbidden if the caller may not share views, Invalid for a condition that does not fit, Unacceptable if there
 * are too many
 */
export async function createView(
  tx: Change,
  caller: User,
  { is_personal, ...draft }: ConversationViewDraft,
): Promise<ConversationView> {
  const { account_id } = caller
  const user_id = is_personal ? caller.user_id : null
  assertMayChange(caller, { user_id })
  assertConditions(draft.conditions)
  await lockAccount(tx, account_id)
  const row = await tx.db
    .insertInto('conversation_views')
    .values({
      ...{ account_id, id: newId(), user_id, position: await nextPosition(tx.db, account_id, user_id) },
      ...draft,
      conditions: toJson(draft.conditions),
      reads_waits: readsWaits(draft.conditions),
    })
    .returning(columns)
    .$castTo<ViewRow>()
    .executeTakeFirstOrThrow()
  if (row.reads_waits) await readWaitsUnlessKept(tx, account_id, row.id)
  if (!is_personal) {
    await recordAudit(tx, caller, { action: 'conversation_view.created', subject_id: row.id, subject_name: row.name })
  }
  announce(tx, account_id, [row.id])
  const [view] = await presentViews(tx.db, account_id, [row])
  return view!
}

/**
 * Changes a view. One that becomes shared, or personal of the caller, moves to the end of its new list.
 * @throws NotFound, Forbidden, Invalid, Unacceptable
 */
export async function updateView(
  tx: Change,
  caller: User,
  id: string,
  { is_personal, ...changes }: ConversationViewChanges,
): Promise<ConversationView> {
  const { account_id } = caller
  const before = await lockView(tx, caller, id)
  if (changes.conditions) assertConditions(changes.conditions)
  const wasPersonal = before.user_id !== null
  const isMoved = is_personal !== undefined && is_personal !== wasPersonal
  const user_id = isMoved ? (is_personal ? caller.user_id : null) : before.user_id
  assertMayChange(caller, { user_id })
  const { conditions, ...plain } = changes
  const reads_waits = conditions ? readsWaits(conditions) : before.reads_waits
  const row = await ofAccount(tx.db, account_id)
    .updateTable('conversation_views')
    .set({
      ...plain,
      ...(conditions && { conditions: toJson(conditions) }),
      ...(isMoved && { user_id, position: await nextPosition(tx.db, account_id, user_id) }),
      reads_waits,
      updated_at: new Date().toISOString(),
    })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<ViewRow>()
    .executeTakeFirstOrThrow()
  if (reads_waits && !before.reads_waits) await readWaitsUnlessKept(tx, account_id, id)
  if (user_id === null || !wasPersonal) {
    const audited = { action: 'conversation_view.updated', subject_id: id, subject_name: row.name }
    const after = { ...changes, ...(isMoved && { is_personal }) }
    await recordChanges(tx, caller, audited, fieldChanges({ ...before, is_personal: wasPersonal }, after))
  }
  announce(tx, account_id, [id])
  const [view] = await presentViews(tx.db, account_id, [row])
  return view!
}

/** @throws NotFound, Forbidden */
export async function deleteView(tx: Change, caller: User, id: string): Promise<null> {
  const { account_id } = caller
  const { name, user_id } = await lockView(tx, caller, id)
  await ofAccount(tx.db, account_id).deleteFrom('conversation_views').where('id', '=', id).execute()
  if (user_id === null) {
    await recordAudit(tx, caller, { action: 'conversation_view.deleted', subject_id: id, subject_name: name })
  }
  announce(tx, account_id, [id])
  return null
}

/**
 * Puts views into an order; those of the same list that are not named stay behind them.
 * @throws Invalid for views that the caller does not have, Forbidden if one of them is shared and the caller is no admin
 */
export async function reorderViews(tx: Change, caller: User, ids: string[]): Promise<ConversationView[]> {
  const { account_id } = caller
  await lockAccount(tx, account_id)
  const rows = await selectViews(tx.db, caller).execute()
  const named = rows.filter(({ id }) => ids.includes(id))
  if (named.length < new Set(ids).size) throw new Invalid({ ids: ['does not exist'] })
  for (const row of named) assertMayChange(caller, row)
  const lists = new Set(named.map(({ user_id }) => user_id))
  const others = rows.filter(({ user_id }) => lists.has(user_id))
  const order = [...new Set([...ids, ...others.map(({ id }) => id)])]
  await setPositions(tx, 'conversation_views', account_id, order)
  if (named.some(({ user_id }) => user_id === null))
    await recordAudit(tx, caller, { action: 'conversation_view.reordered' })
  announce(tx, account_id, order)
  return listViews(tx.db, caller)
}

/** Deletes the personal views of somebody who was removed from the team. */
export async function deleteViewsOf(tx: Change, account_id: string, user_id: number): Promise<void> {
  await ofAccount(tx.db, account_id).deleteFrom('conversation_views').where('user_id', '=', user_id).execute()
}

/** In turn with every other change of the list, because it has an order and limits. */
async function lockView(tx: Change, caller: User, id: string): Promise<ViewRow> {
  await lockAccount(tx, caller.account_id)
  const row = await getView(tx.db, caller, id)
  assertMayChange(caller, row)
  return row
}

function assertMayChange({ role }: User, { user_id }: Pick<ViewRow, 'user_id'>): void {
  if (user_id === null && role !== 'admin') throw new Forbidden('Only admins change views of the whole team.')
}

/** @throws Unacceptable if there are as many views as there may be */
async function nextPosition(db: Db, account_id: string, user_id: number | null): Promise<number> {
  const { count, last } = await ofAccount(db, account_id)
    .selectFrom('conversation_views')
    .select([sql<number>`count(*)::int`.as('count'), sql<number>`coalesce(max(position), 0)`.as('last')])
    .where('user_id', user_id === null ? 'is' : '=', user_id)
    .executeTakeFirstOrThrow()
  const limit = user_id === null ? MAX_SHARED_VIEWS : MAX_PERSONAL_VIEWS
  if (count >= limit) throw new Unacceptable(`There are ${limit} views already. Delete one that is no longer needed.`)
  return last + 1
}

/** @throws Invalid for a condition that does not fit the table of fields, Unacceptable if they look for too many texts */
export function assertConditions(conditions: ViewConditions): void {
  const invalid = conditions.flat().find((condition) => !isViewConditionValid(condition))
  if (invalid) throw new Invalid({ conditions: [`of ${invalid.field} is invalid`] })
  if (countTexts(conditions) > MAX_VIEW_TEXTS)
    throw new Unacceptable(`A view looks for ${MAX_VIEW_TEXTS} texts at most. Remove some.`)
}

function readsWaits(conditions: ViewConditions): boolean {
  return conditions.flat().some(({ field }) => field === 'waiting_for_team' || field === 'waiting_for_customer')
}

function announce(tx: Change, account_id: string, ids: string[]): void {
  tx.announce(account_id, conversationViewsUpdated, { views: { ids } })
}
