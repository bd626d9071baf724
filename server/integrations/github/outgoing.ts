import type { Context } from '../../context.ts'
import { NotFound } from '../../errors.ts'
import { getIssue } from '../../features/customers/issues/issues.ts'
import type { NewDelivery, OpenDelivery, Planned, Receipt } from '../../integration.ts'
import type { GithubConnection } from './client.ts'
import { readIssueUrl } from './issue-url.ts'
import { setIssueState } from './issues.ts'
import { findKnown, storeKnownIssue } from './known-issues.ts'

/** Sends changed states of our issues to GitHub, if an admin has enabled that. */
export function plan({ event, authorizations }: Planned): NewDelivery[] {
  if (event.type !== 'issue:updated' || !readIssueUrl(event.issue.github_issue_url ?? '')) return []
  const { id, updated_at } = event.issue
  return authorizations
    .filter(({ settings }) => settings.closes_issues === true)
    .map((authorization) => ({
      authorization_id: authorization.id,
      kind: 'status' as const,
      queue: `issue ${id}`,
      payload: { issue_id: id },
      version: `${id} ${updated_at}`,
    }))
}

/**
 * Opens or closes the issue at GitHub to match ours. A state that was received from GitHub is not sent back. Doing it
 * twice does no harm.
 */
export async function deliverIssueState(
  context: Context,
  { account_id, payload, authorization }: OpenDelivery<GithubConnection>,
): Promise<Receipt> {
  const issue = await getIssue(context.db, account_id, String(payload.issue_id)).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined
    throw error
  })
  const address = issue && readIssueUrl(issue.github_issue_url ?? '')
  if (!address) return { dropped: true }
  const state = issue.state === 'done' || issue.state === 'closed' ? 'closed' : 'open'
  const stored = await findKnown(context.db, account_id, address)
  // An issue that was never closed at GitHub need not be opened.
  if ((stored?.state ?? 'open') === state) return { dropped: true }
  const changed = await setIssueState(context, authorization, address, state)
  const updated_at = typeof changed.updated_at === 'string' ? changed.updated_at : new Date().toISOString()
  await context.change((tx) =>
    storeKnownIssue(tx, account_id, address, { state, updated_at: new Date(updated_at).toISOString() }),
  )
  return {}
}
