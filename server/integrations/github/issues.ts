import * as z from 'zod/mini'
import { GithubIssue, GithubRepository } from '#contract/integrations/github.ts'
import { type Context, perServer } from '../../context.ts'
import { Forbidden, Invalid, Unacceptable } from '../../errors.ts'
import { runOnceForCaller } from '../../features/connections/authorizations/vendor-call.ts'
import { callGithub, findGithub, type GithubConnection, readGithub, requestGithub } from './client.ts'
import { type IssueAddress, readIssueUrl, repositoryOf } from './issue-url.ts'

const PAGES = 10
const PER_PAGE = 100
const KEPT_MS = 5 * 60_000

interface CachedIssues {
  repositories: GithubRepository[]
  until: number
}

/** Cached, because repositories seldom change and every message with a link needs them. */
const cacheOf = perServer(() => new Map<string, CachedIssues>())

const Installed = z.object({ repositories: z.array(GithubRepository) })

/** The repositories that a connection can access. */
export async function listRepositories(context: Context, connection: GithubConnection): Promise<GithubRepository[]> {
  const cached = cacheOf(context).get(connection.id)
  if (cached && cached.until > Date.now()) return cached.repositories
  const isApp = connection.credentials.kind === 'app'
  const repositories: GithubRepository[] = []
  for (let page = 1; page <= PAGES; page++) {
    const path = `${isApp ? '/installation/repositories' : '/user/repos'}?per_page=${PER_PAGE}&page=${page}`
    const { body } = await requestGithub(context, connection, { path })
    const batch = isApp ? z.parse(Installed, body).repositories : z.parse(z.array(GithubRepository), body)
    repositories.push(...batch)
    if (batch.length < PER_PAGE) break
  }
  cacheOf(context).set(connection.id, { repositories, until: Date.now() + KEPT_MS })
  return repositories
}

/** Clears the cached repositories, because the app was installed in more places, or another token is used. */
export function deleteRepositories(context: Context, id: string): void {
  cacheOf(context).delete(id)
}

/** Whether a connection can access a repository. */
export async function canSee(context: Context, connection: GithubConnection, issue: IssueAddress): Promise<boolean> {
  const repositories = await listRepositories(context, connection)
  return repositories.some(({ full_name }) => full_name.toLowerCase() === repositoryOf(issue))
}

const pathOf = ({ owner, repo }: Pick<IssueAddress, 'owner' | 'repo'>) =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/issues`

/** An issue in GitHub's shape. */
export function readIssue(context: Context, connection: GithubConnection, issue: IssueAddress) {
  return readGithub(context, connection, { path: `${pathOf(issue)}/${issue.number}` }, GithubIssue)
}

/** Opens or closes an issue at GitHub. */
export function setIssueState(
  context: Context,
  connection: GithubConnection,
  issue: IssueAddress,
  state: 'open' | 'closed',
) {
  const json = { state, state_reason: state === 'closed' ? 'completed' : 'reopened' }
  const call = { method: 'PATCH' as const, path: `${pathOf(issue)}/${issue.number}`, json }
  return readGithub(context, connection, call, GithubIssue)
}

/**
 * The issue at an address, or those of a repository. Without a connection only public ones are found; issues that
 * GitHub does not show count as missing.
 */
export async function fetchIssues(
  context: Context,
  account_id: string,
  { url, owner, repo }: { url?: string | undefined; owner?: string | undefined; repo?: string | undefined },
): Promise<GithubIssue[]> {
  const address = url === undefined ? undefined : readIssueUrl(url)
  if (url !== undefined && !address) throw new Unacceptable('Invalid GitHub issue URL')
  if (!address && !(owner && repo)) throw new Unacceptable('Invalid GitHub issue URL')
  const path = address
    ? `${pathOf(address)}/${address.number}`
    : `${pathOf({ owner: owner!, repo: repo! })}?per_page=100`
  try {
    const connection = await findGithub(context, account_id)
    const { body } = connection
      ? await requestGithub(context, connection, { path })
      : await callGithub(context, undefined, { path })
    return address ? [z.parse(GithubIssue, body)] : z.parse(z.array(GithubIssue), body)
  } catch (error) {
    context.log.info({ err: error }, 'An issue could not be read from GitHub')
    return []
  }
}

/** Creates an issue at GitHub. */
export async function createGithubIssue(
  context: Context,
  account_id: string,
  { owner, repo, issue }: { owner: string; repo: string; issue: { title: string; body?: string | null | undefined } },
): Promise<GithubIssue> {
  const connection = await findGithub(context, account_id)
  if (!connection) throw new Forbidden('Missing GitHub authorization!')
  if (!(/^[\w.-]+$/.test(owner) && /^[\w.-]+$/.test(repo))) throw new Invalid({ repo: ['is invalid'] })
  const call = { method: 'POST' as const, path: pathOf({ owner, repo }), json: issue }
  return runOnceForCaller('GitHub', 'The issue may have been created', () =>
    readGithub(context, connection, call, GithubIssue),
  )
}
