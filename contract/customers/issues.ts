import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent, Gone } from '../event.ts'
import { CountParameter, FilledText, Id, ifAny, maybe, Ok, Text, TimeInput, Timestamp, UserOrNobody } from '../wire.ts'

/** In the order of progress. */
export const ISSUE_STATES = ['unstarted', 'in_progress', 'in_review', 'done', 'closed'] as const
/** The state of an issue. */
export const IssueState = z.enum(ISSUE_STATES)
export type IssueState = z.output<typeof IssueState>

/** A task that customers wait for, linked to them and to its issue on GitHub. */
export const Issue = z.object({
  id: z.string(),
  object: z.literal('issue'),
  account_id: z.string(),
  title: z.string(),
  body: z.nullable(z.string()),
  state: IssueState.check(z.describe('Where the work on it stands.')),
  github_issue_url: z.nullable(z.string()).check(z.describe('URL of the issue at GitHub.')),
  creator_id: z.nullable(z.int32()).check(z.describe('The user who created it.')),
  assignee_id: z.nullable(z.int32()),
  finished_at: z.nullable(Timestamp).check(z.describe('When the work was done; null before.')),
  closed_at: z.nullable(Timestamp).check(z.describe('When it was closed; null while it is open.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Issue = z.output<typeof Issue>

/** Whether an address is that of an issue: `https://github.com/owner/repo/issues/123`. */
export function isGithubIssueUrl(url: string): boolean {
  return /^(https?:\/\/)?(www\.)?github\.com\/[\w.-]+\/[\w.-]+\/issues\/\d{1,9}$/i.test(url.trim())
}

const GithubIssueUrl = z.pipe(
  Text(500),
  z.transform((url: string) => url.trim() || null),
)

/** Input of creating an issue. */
export const IssueDraft = z.object({
  title: FilledText(500),
  body: maybe(Text(50_000)),
  state: ifAny(IssueState).check(z.describe('Where the work on it stands.')),
  github_issue_url: maybe(GithubIssueUrl).check(
    z.describe('Any text is stored; it only works as a link if it names a GitHub issue.'),
  ),
  assignee_id: UserOrNobody,
  finished_at: maybe(TimeInput).check(z.describe('When the work was done; null before.')),
  closed_at: maybe(TimeInput).check(z.describe('When it was closed; null while it is open.')),
})
export type IssueDraft = z.output<typeof IssueDraft>
/** The fields of an issue that can be changed; those left out stay. */
export const IssueChanges = z.partial(IssueDraft)
export type IssueChanges = z.output<typeof IssueChanges>

/** Maximum number of issues per response. */
export const ISSUES_AT_ONCE = 1000

/** An event about an issue is also sent to the topic of each linked customer. */
function issueLobbies(customer_ids: string[], event: string, issue: Issue) {
  return customer_ids.map((id) => ({ topic: `issue:lobby:${id}`, event, payload: issue }))
}

const issueOfCustomers = {
  issue: Issue,
  customer_ids: z.array(z.string()).check(z.describe('Customers who are waiting for it.')),
}

/** An issue was created. */
export const issueCreated = defineEvent('issue:created', {
  receivers: 'team',
  payload: issueOfCustomers,
  sends: Issue,
  as: ({ issue }) => issue,
  topics: ({ issue, customer_ids }) => issueLobbies(customer_ids, 'issue:created', issue),
})

/** An issue changed. */
export const issueUpdated = defineEvent('issue:updated', {
  receivers: 'team',
  payload: issueOfCustomers,
  sends: Issue,
  as: ({ issue }) => issue,
  topics: ({ issue, customer_ids }) => issueLobbies(customer_ids, 'issue:updated', issue),
})

/** An issue was deleted. */
export const issueDeleted = defineEvent('issue:deleted', {
  receivers: 'team',
  payload: { issue_id: z.string() },
  sends: Gone,
  as: ({ issue_id: id }) => ({ id }),
})

const IssueOfCustomer = z.object({ customer_id: z.string(), issue: Issue })

/** For clients that listen to one customer, a linked issue is new. */
export const issueLinked = defineEvent('issue:linked', {
  receivers: 'team',
  payload: IssueOfCustomer.shape,
  sends: IssueOfCustomer,
  as: (payload) => payload,
  topics: ({ issue, customer_id }) => issueLobbies([customer_id], 'issue:created', issue),
})

/** An issue was unlinked from a customer. */
export const issueUnlinked = defineEvent('issue:unlinked', {
  receivers: 'team',
  payload: IssueOfCustomer.shape,
  sends: IssueOfCustomer,
  as: (payload) => payload,
  topics: ({ issue, customer_id }) => issueLobbies([customer_id], 'issue:updated', issue),
})

/** Calls about issues and the customers linked to them. */
export const issues = {
  list: endpoint('user', 'GET', '/api/issues', {
    for_functions: true,
    summary:
      'Lists issues, most recently updated first, at most 1,000. Each word of `q` must match the id, title, text or URL.',
    query: z.object({
      q: z.optional(Text(200)).check(z.describe('Words in title or text.')),
      customer_id: z.optional(Id),
      issue_id: z.optional(Id),
      state: z.optional(IssueState).check(z.describe('Only issues in this state.')),
      title: z.optional(Text(500)),
      github_issue_url: z.optional(Text(500)).check(z.describe('URL of the issue at GitHub.')),
      limit: CountParameter,
    }),
    answer: data(z.array(Issue)),
  }),
  create: endpoint('user', 'POST', '/api/issues', {
    for_functions: true,
    summary: 'Creates an issue, linked to a customer with `customer_id`.',
    body: z.object({ issue: z.extend(IssueDraft, { customer_id: maybe(Id) }) }),
    answer: data(Issue),
    status: 201,
  }),
  get: endpoint('user', 'GET', '/api/issues/:id', {
    for_functions: true,
    summary: 'Returns an issue.',
    answer: data(Issue),
  }),
  update: endpoint('user', 'PUT', '/api/issues/:id', {
    summary: 'Updates an issue. Any state may follow any other.',
    body: z.object({ issue: IssueChanges }),
    answer: data(Issue),
  }),
  remove: endpoint('user', 'DELETE', '/api/issues/:id', {
    summary: 'Deletes an issue and its links to customers.',
    answer: z.null(),
    status: 204,
  }),
  link: endpoint('user', 'POST', '/api/customers/:id/issues', {
    for_functions: true,
    summary: 'Links an issue to a customer, unless it is linked already.',
    body: z.object({ issue_id: Id }),
    answer: data(Ok),
  }),
  unlink: endpoint('user', 'DELETE', '/api/customers/:id/issues/:issue_id', {
    summary: 'Unlinks an issue from a customer.',
    answer: data(Ok),
  }),
}
