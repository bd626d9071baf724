import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Issue, type IssueState, isGithubIssueUrl, issues } from '#contract/issues.ts'
import { call } from '../../platform/http/api.ts'
import type { Tone } from '../../ui/Pill.tsx'
import { applyCustomerEvent } from '../customers/customers.ts'

/** The issues in which every word stands, latest first: as many as are told at once, or no more than these. */
export function foundIssuesQuery(q: string, limit?: number) {
  return queryOptions({
    queryKey: ['issues', 'found', q, limit],
    queryFn: async ({ signal }) => (await call(issues.list, { query: { ...(q && { q }), limit }, signal })).data,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}

export function issueQuery(id: string) {
  return queryOptions({
    queryKey: ['issues', 'one', id],
    queryFn: async ({ signal }) => (await call(issues.get, { params: { id }, signal })).data,
    refetchOnMount: 'always',
  })
}

export const GROUPS = ['recently_done', 'unfinished', 'closed'] as const

/** Where each issue stands on the page of all issues. */
export function groupIssues(all: readonly Issue[]): Record<(typeof GROUPS)[number], Issue[]> {
  return {
    recently_done: all.filter(({ state }) => state === 'done'),
    unfinished: all.filter(({ state }) => state !== 'done' && state !== 'closed'),
    closed: all.filter(({ state }) => state === 'closed'),
  }
}

/** Where the address of an issue elsewhere leads, and the part of it worth reading; undefined where it is none. */
export function githubLink(url: string | null): { href: string; text: string } | undefined {
  if (!url || !isGithubIssueUrl(url)) return undefined
  const text = url.trim().replace(/^(https?:\/\/)?(www\.)?github\.com\//i, '')
  return { href: `https://github.com/${text}`, text }
}

/** The colours that states have everywhere: grey, orange, blue, green, red. */
export const STATE_TONES: Record<IssueState, Tone> = {
  unstarted: 'neutral',
  in_progress: 'warning',
  in_review: 'accent',
  done: 'success',
  closed: 'danger',
}

/** Where the menu of an issue offers to move it. */
export function movesOf(state: IssueState): ('done' | 'closed' | 'unstarted')[] {
  const moves: ('done' | 'closed' | 'unstarted')[] = []
  if (state !== 'done') moves.push('done')
  if (state !== 'closed') moves.push('closed')
  if (state !== 'unstarted' && state !== 'in_progress') moves.push('unstarted')
  return moves
}

export async function moveIssue(client: QueryClient, id: string, state: IssueState): Promise<void> {
  const { data } = await call(issues.update, { params: { id }, body: { issue: { state } } })
  applyCustomerEvent(client, { event: 'issue:updated', payload: data })
}

export async function unlinkIssue(client: QueryClient, customer_id: string, issue: Issue): Promise<void> {
  await call(issues.unlink, { params: { id: customer_id, issue_id: issue.id } })
  applyCustomerEvent(client, { event: 'issue:unlinked', payload: { customer_id, issue } })
}

interface Wish {
  title: string
  body: string
  github_issue_url: string
  /** An issue that is there already; it counts while no title is written. */
  existing: Issue | undefined
}

/** Links the chosen issue to a customer, or a new one where a title was written. */
export async function giveIssue(client: QueryClient, customer_id: string, { existing, ...draft }: Wish): Promise<void> {
  if (existing && !draft.title.trim()) {
    await call(issues.link, { params: { id: customer_id }, body: { issue_id: existing.id } })
    applyCustomerEvent(client, { event: 'issue:linked', payload: { customer_id, issue: existing } })
    return
  }
  const { data } = await call(issues.create, { body: { issue: { ...draft, customer_id } } })
  applyCustomerEvent(client, { event: 'issue:linked', payload: { customer_id, issue: data } })
}

export interface IssueTexts {
  title: string
  body: string
  github_issue_url: string
}

export const EMPTY_ISSUE: IssueTexts = { title: '', body: '', github_issue_url: '' }

export async function createIssue(client: QueryClient, issue: IssueTexts): Promise<Issue> {
  const { data } = await call(issues.create, { body: { issue } })
  client.setQueryData(issueQuery(data.id).queryKey, data)
  await client.invalidateQueries({ queryKey: ['issues', 'found'] })
  return data
}

export async function saveIssue(client: QueryClient, id: string, issue: Partial<IssueTexts & { state: IssueState }>) {
  const { data } = await call(issues.update, { params: { id }, body: { issue } })
  client.setQueryData(issueQuery(id).queryKey, data)
  applyCustomerEvent(client, { event: 'issue:updated', payload: data })
}

export async function deleteIssue(client: QueryClient, id: string): Promise<void> {
  await call(issues.remove, { params: { id } })
  applyCustomerEvent(client, { event: 'issue:deleted', payload: { id } })
}

export async function linkCustomer(client: QueryClient, issue: Issue, customer_id: string): Promise<void> {
  await call(issues.link, { params: { id: customer_id }, body: { issue_id: issue.id } })
  applyCustomerEvent(client, { event: 'issue:linked', payload: { customer_id, issue } })
  await client.invalidateQueries({ queryKey: ['customers', 'list'] })
}
