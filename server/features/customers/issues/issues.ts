import { sql } from 'kysely'
import {
  ISSUES_AT_ONCE,
  type Issue,
  type IssueChanges,
  type IssueDraft,
  issueCreated,
  issueDeleted,
  issueUpdated,
} from '#contract/customers/issues.ts'
import { Invalid, NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import { filterActiveUsers } from '../../accounts/users/users.ts'
import { currentId, resolveCustomer } from '../customers/customers.ts'
import { linkIssue } from './linking.ts'

const columns = [
  'id',
  'account_id',
  'title',
  'body',
  'state',
  'github_issue_url',
  'creator_id',
  'assignee_id',
  'finished_at',
  'closed_at',
  'created_at',
  'updated_at',
] as const
/** Maximum number of customers in an event about an issue. */
const CUSTOMERS_TOLD = 1000

type IssueRow = { [Column in (typeof columns)[number]]: Issue[Column] }

function presentIssue(row: IssueRow): Issue {
  return { ...row, object: 'issue' }
}

function select(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('issues').select(columns).$castTo<IssueRow>()
}

interface Filters {
  q?: string
  customer_id?: string
  issue_id?: string
  state?: Issue['state']
  title?: string
  github_issue_url?: string
  limit?: number
}

/** Issues, most recently updated first. */
export async function listIssues(db: Db, account_id: string, filters: Filters): Promise<Issue[]> {
  let query = select(db, account_id)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(Math.min(Math.max(filters.limit ?? ISSUES_AT_ONCE, 1), ISSUES_AT_ONCE)))
  if (filters.issue_id) query = query.where('id', '=', filters.issue_id)
  for (const column of ['state', 'title', 'github_issue_url'] as const) {
    const value = filters[column]
    if (value) query = query.where(column, '=', value as never)
  }
  if (filters.customer_id) {
    const { customer_id } = filters
    query = query.where(
      sql<boolean>`id in (select issue_id from customer_issues where account_id = ${account_id}
        and customer_id = coalesce(${currentId(account_id, customer_id)}, ${customer_id}))`,
    )
  }
  for (const word of filters.q?.split(/\s+/).filter(Boolean) ?? []) {
    query = query.where(
      sql<boolean>`fold_text(concat_ws(' ', id, title, body, github_issue_url)) like '%' || btrim(fold_text(${word})) || '%'`,
    )
  }
  return (await query.execute()).map(presentIssue)
}

export async function getIssue(db: Db, account_id: string, id: string): Promise<Issue> {
  const row = await select(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentIssue(row)
}

type NewIssue = IssueDraft & { customer_id?: string | null }

/** Adds an issue, linked to a customer if one is given. */
export async function createIssue(
  change: Change,
  account_id: string,
  creator_id: number | null,
  { customer_id, ...draft }: NewIssue,
): Promise<Issue> {
  const { db } = change
  await assertSameAccount(db, account_id, draft)
  const customer = customer_id ? await resolveCustomer(db, customer_id, account_id) : undefined
  if (customer_id && !customer) throw new Invalid({ customer_id: ['does not exist'] })
  const at = new Date().toISOString()
  const row = await db
    .insertInto('issues')
    .values({
      account_id,
      id: newId(),
      creator_id,
      ...draft,
      ...momentsOf(undefined, draft),
      created_at: at,
      updated_at: at,
    })
    .returning(columns)
    .$castTo<IssueRow>()
    .executeTakeFirstOrThrow()
  const issue = presentIssue(row)
  change.announce(account_id, issueCreated, { issue, customer_ids: [] })
  if (customer) await linkIssue(change, account_id, customer.id, issue)
  return issue
}

/** Changes an issue; the event goes to every linked customer's topic. */
export async function updateIssue(
  change: Change,
  account_id: string,
  id: string,
  changes: IssueChanges,
): Promise<Issue> {
  const { db } = change
  const before = await select(db, account_id).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!before) throw new NotFound()
  await assertSameAccount(db, account_id, changes)
  const row = await ofAccount(db, account_id)
    .updateTable('issues')
    .set({ ...changes, ...momentsOf(before, changes), updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<IssueRow>()
    .executeTakeFirstOrThrow()
  const issue = presentIssue(row)
  change.announce(account_id, issueUpdated, { issue, customer_ids: await listCustomersOf(db, account_id, id) })
  return issue
}

export async function deleteIssue(change: Change, account_id: string, id: string): Promise<null> {
  const { numDeletedRows } = await ofAccount(change.db, account_id)
    .deleteFrom('issues')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  change.announce(account_id, issueDeleted, { issue_id: id })
  return null
}

/** The times at which an issue was done or closed follow from its state, unless the caller sets them. */
function momentsOf(before: IssueRow | undefined, { state, finished_at, closed_at }: IssueChanges) {
  if (!state || state === before?.state) return {}
  const now = new Date().toISOString()
  return {
    ...(finished_at === undefined && { finished_at: state === 'done' ? now : null }),
    ...(closed_at === undefined && { closed_at: state === 'closed' ? now : null }),
  }
}

async function assertSameAccount(db: Db, account_id: string, { assignee_id }: IssueChanges) {
  if (typeof assignee_id !== 'number') return
  const [active] = await filterActiveUsers(db, account_id, [assignee_id])
  if (active === undefined) throw new Invalid({ assignee_id: ['does not exist'] })
}

/** The customers linked to an issue, up to the event's maximum. */
export async function listCustomersOf(db: Db, account_id: string, issue_id: string): Promise<string[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('customer_issues')
    .select('customer_id')
    .where('issue_id', '=', issue_id)
    .limit(CUSTOMERS_TOLD)
    .execute()
  return rows.map(({ customer_id }) => customer_id)
}
