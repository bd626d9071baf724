import * as z from 'zod/mini'
import { GithubIssue } from '#contract/integrations/github.ts'
import type { Context } from '../../context.ts'
import { saveCursor } from '../../features/connections/authorizations/connect.ts'
import { VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { storeInbound } from '../../features/connections/inbound/store-event.ts'
import { type GithubConnection, type GithubCursor, requestGithub } from './client.ts'
import type { IssueNews } from './incoming.ts'
import { type IssueAddress, keyOf, repositoryOf } from './issue-url.ts'
import { readIssue } from './issues.ts'
import { listFollowed, listWithoutWebhook } from './known-issues.ts'

/** GitHub never repeats a lost call, so it is polled even if it calls us. */
const EVERY_MS = 5 * 60_000
const PAGES = 10
const PER_PAGE = 100
/** Maximum number of newly linked issues per poll. */
const UNHEARD_AT_ONCE = 30
/** Allows for clock differences; events already known are recognised. */
const OVERLAP_MS = 60_000

/** Fetches changes in repositories with linked issues. */
export async function pollGithub(context: Context, connection: GithubConnection): Promise<void> {
  const cursor = connection.cursor ?? {}
  if (cursor.polled_at && Date.parse(cursor.polled_at) > Date.now() - EVERY_MS) return
  const { account_id, id } = connection
  const followed = await listFollowed(context.db, account_id)
  const started = new Date()
  const news = await readWithoutWebhook(context, connection, followed)
  const repositories: NonNullable<GithubCursor['repositories']> = {}
  for (const [repository, issues] of Map.groupBy(followed, repositoryOf)) {
    const before = cursor.repositories?.[repository]
    const read = before && (await readChanged(context, connection, issues[0]!, before))
    news.push(...(read?.changed ?? []).filter((update) => issues.some((issue) => issue.number === update.number)))
    repositories[repository] = nextOf(before, read, started)
  }
  await context.change(async (tx) => {
    for (const update of news) await storeNews(context, tx, { account_id, authorization_id: id }, update)
    await saveCursor(tx, account_id, id, { polled_at: started.toISOString(), repositories })
  })
}

type RepositoryCursor = NonNullable<GithubCursor['repositories']>[string]
type Read = { changed: IssueNews[]; etag: string | undefined } | undefined

/**
 * The next position. While nothing changes the request stays the same, and GitHub answers by its ETag with an empty
 * response.
 */
function nextOf(before: RepositoryCursor | undefined, read: Read, started: Date): RepositoryCursor {
  // After a failure the next poll starts from the same time.
  if (before && (!read || read.changed.length === 0)) {
    return { since: before.since, ...(read?.etag && { etag: read.etag }) }
  }
  return { since: new Date(started.getTime() - OVERLAP_MS).toISOString() }
}

/** Stores an issue's state, once however often and in whatever way it is reported. */
export async function storeNews(
  context: Pick<Context, 'jobs'>,
  tx: Parameters<typeof storeInbound>[1],
  authorizationKey: { account_id: string; authorization_id: string },
  news: IssueNews,
): Promise<void> {
  await storeInbound(context, tx, {
    ...authorizationKey,
    integration: 'github',
    key: `${authorizationKey.authorization_id} ${keyOf(news)} ${news.state} ${news.updated_at}`,
    queue: keyOf(news),
    payload: news,
  })
}

const newsOf = (issue: IssueAddress, { state, updated_at }: z.output<typeof Seen>): IssueNews => ({
  ...issue,
  state: state === 'closed' ? 'closed' : 'open',
  updated_at,
})

const Seen = z.extend(GithubIssue, { updated_at: z.string() })

/** Fetches recently linked issues, whose state is unknown yet. */
async function readWithoutWebhook(context: Context, connection: GithubConnection, followed: IssueAddress[]) {
  const missed = await listWithoutWebhook(context.db, connection.account_id, followed)
  const news: IssueNews[] = []
  // In random order, so that issues we cannot access do not block the others for ever.
  for (const issue of missed.toSorted(() => Math.random() - 0.5).slice(0, UNHEARD_AT_ONCE)) {
    const body = await readIssue(context, connection, issue).catch(assertOwnRepositories)
    if (body) news.push(newsOf(issue, z.parse(Seen, body)))
  }
  return news
}

/** Issues that are missing or inaccessible are skipped; other errors are retried. */
function assertOwnRepositories(error: unknown): undefined {
  if (error instanceof VendorRefused) return undefined
  throw error
}

async function readChanged(
  context: Context,
  connection: GithubConnection,
  { owner, repo }: IssueAddress,
  { since, etag }: RepositoryCursor,
) {
  const changed: IssueNews[] = []
  let first: string | undefined
  for (let page = 1; page <= PAGES; page++) {
    const query = new URLSearchParams({ state: 'all', since, per_page: String(PER_PAGE), page: String(page) })
    const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/issues?${query}`
    const answer = await requestGithub(context, connection, { path, etag: page === 1 ? etag : undefined }).catch(
      assertOwnRepositories,
    )
    if (!answer) return undefined
    if (answer.status === 304) return { changed, etag }
    first ??= answer.headers.get('etag') ?? undefined
    const batch = z.parse(z.array(Seen), answer.body)
    changed.push(...batch.map((item) => newsOf({ owner, repo, number: item.number }, item)))
    if (batch.length < PER_PAGE) break
  }
  return { changed, etag: first }
}
