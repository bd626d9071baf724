import {
  type DeadlinePolicy,
  type DeadlinePolicyChanges,
  type DeadlinePolicyDraft,
  deadlinePoliciesUpdated,
  MAX_POLICIES,
} from '#contract/conversations/deadlines.ts'
import { Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import { type Change, type Db, type FieldChanges, fieldChanges, hasChanges } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { setPositions } from '../../../platform/db/positions.ts'
import { newId } from '../../../platform/secrets.ts'
import { lockAccount } from '../../accounts/accounts/accounts.ts'
import { listTags } from '../../customers/tags/tags.ts'
import { getInboxIds } from '../../widget/inboxes/inboxes.ts'

const columns = [
  'id',
  'name',
  'is_active',
  'inbox_ids',
  'tag_ids',
  'priority',
  'first_reply_minutes',
  'next_reply_minutes',
  'resolution_minutes',
  'in_working_hours',
  'pauses_while_waiting',
  'warn_minutes',
  'created_at',
  'updated_at',
] as const

function presentPolicy(row: Omit<DeadlinePolicy, 'object'>): DeadlinePolicy {
  return { ...row, object: 'deadline_policy' }
}

/** All policies of an account, in the order in which they are tried. */
export async function listPolicies(db: Db, account_id: string): Promise<DeadlinePolicy[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('deadline_policies')
    .select(columns)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(presentPolicy)
}

/**
 * Adds a policy at the end of the list.
 * @throws Invalid for inboxes and tags of others, Unacceptable if there are too many policies
 */
export async function createPolicy(
  change: Change,
  account_id: string,
  draft: DeadlinePolicyDraft,
): Promise<DeadlinePolicy> {
  await lockAccount(change, account_id)
  const existing = await listPolicies(change.db, account_id)
  if (existing.length >= MAX_POLICIES) {
    throw new Unacceptable(`There can be ${MAX_POLICIES} policies at most. Delete one that is no longer needed.`)
  }
  await assertInAccount(change.db, account_id, draft)
  const row = await change.db
    .insertInto('deadline_policies')
    .values({ ...draft, id: newId(), account_id, position: await nextPosition(change.db, account_id) })
    .returning(columns)
    .executeTakeFirstOrThrow()
  change.announce(account_id, deadlinePoliciesUpdated, { policy_id: row.id })
  return presentPolicy(row)
}

/**
 * Changes a policy.
 * @returns the changed policy, and the changed fields
 * @throws NotFound, Invalid for inboxes and tags of others
 */
export async function updatePolicy(
  change: Change,
  account_id: string,
  id: string,
  wanted: DeadlinePolicyChanges,
): Promise<{ policy: DeadlinePolicy; changes: FieldChanges }> {
  await lockAccount(change, account_id)
  const before = (await listPolicies(change.db, account_id)).find((policy) => policy.id === id)
  if (!before) throw new NotFound()
  await assertInAccount(change.db, account_id, wanted)
  const changes = fieldChanges(before, wanted)
  if (!hasChanges(changes)) return { policy: before, changes }
  const row = await ofAccount(change.db, account_id)
    .updateTable('deadline_policies')
    .set({ ...wanted, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  change.announce(account_id, deadlinePoliciesUpdated, { policy_id: id })
  return { policy: presentPolicy(row), changes }
}

/** Deletes a policy, and returns it as it was. */
export async function deletePolicy(change: Change, account_id: string, id: string): Promise<DeadlinePolicy> {
  await lockAccount(change, account_id)
  const row = await ofAccount(change.db, account_id)
    .deleteFrom('deadline_policies')
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  if (!row) throw new NotFound()
  change.announce(account_id, deadlinePoliciesUpdated, { policy_id: id })
  return presentPolicy(row)
}

/** Puts policies into the order of these ids. Those left out follow in their own order; unknown ids are ignored. */
export async function orderPolicies(change: Change, account_id: string, ids: string[]): Promise<DeadlinePolicy[]> {
  await lockAccount(change, account_id)
  const policies = await listPolicies(change.db, account_id)
  const rank = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  const ordered = policies.toSorted((a, b) => rank(a.id) - rank(b.id))
  await setPositions(
    change,
    'deadline_policies',
    account_id,
    ordered.map(({ id }) => id),
  )
  change.announce(account_id, deadlinePoliciesUpdated, { policy_id: null })
  return ordered
}

async function nextPosition(db: Db, account_id: string): Promise<number> {
  const { last } = await ofAccount(db, account_id)
    .selectFrom('deadline_policies')
    .select((eb) => eb.fn.max<number | null>('position').as('last'))
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

async function assertInAccount(db: Db, account_id: string, { inbox_ids = [], tag_ids = [] }: DeadlinePolicyChanges) {
  const inboxes = inbox_ids.length > 0 ? await getInboxIds(db, account_id) : []
  if (!inbox_ids.every((id) => inboxes.includes(id))) throw new Invalid({ inbox_ids: ['does not exist'] })
  const tags = tag_ids.length > 0 ? await listTags(db, account_id) : []
  if (!tag_ids.every((id) => tags.some((tag) => tag.id === id))) throw new Invalid({ tag_ids: ['does not exist'] })
}
