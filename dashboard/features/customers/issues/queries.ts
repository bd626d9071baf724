import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Issue, type IssueState, issues } from '#contract/customers/issues.ts'
import { github } from '#contract/integrations/github.ts'
import { call } from '../../../platform/http/api.ts'
import { customerKeys } from '../customers/keys.ts'
import { applyCustomerEvent } from '../customers/queries.ts'
import { issueKeys } from './keys.ts'

/** The issues that contain every word of `q`, latest first, at most `limit` or the server's limit. */
export function foundIssuesQuery(q: string, limit?: number) {
  return queryOptions({
    queryKey: issueKeys.list(q, limit),
    queryFn: async ({ signal }) => (await call(issues.list, { query: { ...(q && { q }), limit }, signal })).data,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}

export function issueQuery(id: string) {
  return queryOptions({
    queryKey: issueKeys.detail(id),
    queryFn: async ({ signal }) => (await call(issues.get, { params: { id }, signal })).data,
    refetchOnMount: 'always',
  })
}

export async function moveIssue(client: QueryClient, id: string, state: IssueState): Promise<void> {
  const { data } = await call(issues.update, { params: { id }, body: { issue: { state } } })
  applyCustomerEvent(client, { event: 'issue:updated', payload: data })
}

export async function unlinkIssue(client: QueryClient, customer_id: string, issue: Issue): Promise<void> {
  await call(issues.unlink, { params: { id: customer_id, issue_id: issue.id } })
  applyCustomerEvent(client, { event: 'issue:unlinked', payload: { customer_id, issue } })
}

interface IssueChoice extends IssueTexts {
  /** An existing issue, which is used if no title was typed. */
  existing: Issue | undefined
}

/** Links the chosen issue to a customer, or a new one if a title was typed. */
export async function linkIssue(
  client: QueryClient,
  customer_id: string,
  { existing, ...draft }: IssueChoice,
): Promise<void> {
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
  /** Unstarted by default. */
  state?: IssueState
}

export const EMPTY_ISSUE: IssueTexts = { title: '', body: '', github_issue_url: '' }

export async function createIssue(client: QueryClient, issue: IssueTexts): Promise<Issue> {
  const { data } = await call(issues.create, { body: { issue } })
  client.setQueryData(issueQuery(data.id).queryKey, data)
  await client.invalidateQueries({ queryKey: issueKeys.lists })
  return data
}

export async function saveIssue(client: QueryClient, id: string, issue: Partial<IssueTexts & { state: IssueState }>) {
  const { data } = await call(issues.update, { params: { id }, body: { issue } })
  client.setQueryData(issueQuery(id).queryKey, data)
  applyCustomerEvent(client, { event: 'issue:updated', payload: data })
}

/** Reads a GitHub issue; undefined if there is none. Open ones become unstarted, closed ones done. */
export async function readFromGithub(url: string): Promise<Required<Omit<IssueTexts, 'github_issue_url'>> | undefined> {
  const [issue] = (await call(github.issues, { query: { url } })).data
  return issue && { title: issue.title, body: issue.body ?? '', state: issue.state === 'closed' ? 'done' : 'unstarted' }
}

export async function deleteIssue(client: QueryClient, id: string): Promise<void> {
  await call(issues.remove, { params: { id } })
  applyCustomerEvent(client, { event: 'issue:deleted', payload: { id } })
}

export async function linkCustomer(client: QueryClient, issue: Issue, customer_id: string): Promise<void> {
  await call(issues.link, { params: { id: customer_id }, body: { issue_id: issue.id } })
  applyCustomerEvent(client, { event: 'issue:linked', payload: { customer_id, issue } })
  await client.invalidateQueries({ queryKey: customerKeys.lists })
}
