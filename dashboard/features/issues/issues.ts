import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Issue, type IssueState, issues } from '#contract/issues.ts'
import { call } from '../../api.ts'
import type { Tone } from '../../ui/Pill.tsx'
import { hearCustomer } from '../customers/customers.ts'

/** All issues, to choose one from. */
export const issuesQuery = queryOptions({
  queryKey: ['issues'],
  queryFn: async ({ signal }) => (await call(issues.list, { signal })).data,
  refetchOnMount: 'always',
})

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
  hearCustomer(client, { event: 'issue:updated', payload: data })
}

export async function unlinkIssue(client: QueryClient, customer_id: string, issue: Issue): Promise<void> {
  await call(issues.unlink, { params: { id: customer_id, issue_id: issue.id } })
  hearCustomer(client, { event: 'issue:unlinked', payload: { customer_id, issue } })
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
    hearCustomer(client, { event: 'issue:linked', payload: { customer_id, issue: existing } })
    return
  }
  const { data } = await call(issues.create, { body: { issue: { ...draft, customer_id } } })
  hearCustomer(client, { event: 'issue:linked', payload: { customer_id, issue: data } })
}
