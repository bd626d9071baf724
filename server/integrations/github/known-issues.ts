import { type SqlBool, sql } from 'kysely'
import type { Issue } from '#contract/customers/issues.ts'
import { getIssue } from '../../features/customers/issues/issues.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { type IssueAddress, keyOf, readIssueUrl, repositoryOf } from './issue-url.ts'

/** The last known state of an issue at GitHub. */
export interface KnownIssue {
  state: 'open' | 'closed'
  updated_at: string
}

/** The last known state of an issue at GitHub. */
export function findKnown(db: Db, account_id: string, issue: IssueAddress): Promise<KnownIssue | undefined> {
  return ofAccount(db, account_id)
    .selectFrom('github_issues')
    .select(['state', 'updated_at'])
    .where('repository', '=', repositoryOf(issue))
    .where('number', '=', issue.number)
    .$castTo<KnownIssue>()
    .executeTakeFirst()
}

/** Stores the state of an issue at GitHub. An older state changes nothing. */
export async function storeKnownIssue(
  { db }: Pick<Change, 'db'>,
  account_id: string,
  issue: IssueAddress,
  state: KnownIssue,
): Promise<void> {
  await db
    .insertInto('github_issues')
    .values({ account_id, repository: repositoryOf(issue), number: issue.number, ...state })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'repository', 'number'])
        .doUpdateSet(state)
        .where('github_issues.updated_at', '<=', state.updated_at),
    )
    .execute()
}

const ADDRESS = sql<string>`lower(regexp_replace(github_issue_url, '^(https?://)?(www\\.)?', '', 'i'))`

/** Our issues linked to one at GitHub, however its address was typed. */
export async function findFollowing(db: Db, account_id: string, issue: IssueAddress): Promise<Issue[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('issues')
    .select('id')
    .where('github_issue_url', 'is not', null)
    .where(sql<SqlBool>`${ADDRESS} = ${`github.com/${keyOf(issue)}`}`)
    .limit(100)
    .execute()
  return Promise.all(rows.map(({ id }) => getIssue(db, account_id, id)))
}

const MAX_ISSUES = 5_000

/** All issues at GitHub that ours are linked to. */
export async function listFollowed(db: Db, account_id: string): Promise<IssueAddress[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('issues')
    .select('github_issue_url')
    .where('github_issue_url', 'is not', null)
    .where(sql<SqlBool>`${ADDRESS} like 'github.com/%'`)
    .orderBy('updated_at', 'desc')
    .limit(MAX_ISSUES)
    .execute()
  const all = rows.flatMap(({ github_issue_url }) => readIssueUrl(github_issue_url!) ?? [])
  return [...new Map(all.map((address) => [keyOf(address), address])).values()]
}

/** The keys of those without any stored state. */
export async function listWithoutWebhook(db: Db, account_id: string, issues: IssueAddress[]): Promise<IssueAddress[]> {
  const rows = await ofAccount(db, account_id).selectFrom('github_issues').select(['repository', 'number']).execute()
  const received = new Set(rows.map(({ repository, number }) => `${repository}/issues/${number}`))
  return issues.filter((issue) => !received.has(keyOf(issue)))
}
