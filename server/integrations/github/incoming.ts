import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { getAuthorization, loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { removeAuthorization } from '../../features/connections/authorizations/connect.ts'
import { findNewestConversation } from '../../features/conversations/conversations/newest-conversation.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import { updateConversation } from '../../features/conversations/conversations/updating.ts'
import { listCustomersOf, updateIssue } from '../../features/customers/issues/issues.ts'
import { ConnectionRevoked, type InboundOutcome, type ReceivedEvent } from '../../integration.ts'
import { deriveId } from '../../platform/secrets.ts'
import { checkGrant, type GithubConnection } from './client.ts'
import { type IssueAddress, keyOf, urlOf } from './issue-url.ts'
import { findFollowing, findKnown, type KnownIssue, storeKnownIssue } from './known-issues.ts'

/** What is stored of an event about an issue: its state at GitHub. */
export const IssueNews = z.object({
  owner: z.string(),
  repo: z.string(),
  number: z.int(),
  state: z.enum(['open', 'closed']),
  updated_at: z.string(),
})
export type IssueNews = z.output<typeof IssueNews>

const Uninstalled = z.object({ uninstalled: z.literal(true) })
const Suspension = z.object({ suspension: z.enum(['begun', 'over']) })
/** …and of an event about the app: uninstalled, suspended, or no longer suspended. */
export type InstallationNews = z.output<typeof Uninstalled> | z.output<typeof Suspension>

/** Handles an event of GitHub. */
export async function receiveFromGithub(context: Context, event: ReceivedEvent): Promise<InboundOutcome> {
  if (z.safeParse(Uninstalled, event.payload).success) return disconnectUninstalled(context, event)
  if (z.safeParse(Suspension, event.payload).success) return checkSuspension(context, event)
  const news = z.parse(IssueNews, event.payload)
  return applyIssueEvent(context, event.account_id, news)
}

/** Events may come late and in any order, so GitHub is asked for the current state. */
async function checkSuspension(
  context: Context,
  { account_id, authorization_id }: ReceivedEvent,
): Promise<InboundOutcome> {
  const connection = authorization_id
    ? await loadConnected<GithubConnection>(context, account_id, authorization_id)
    : undefined
  if (!connection) return { state: 'ignored', reason: 'It was already disconnected.' }
  try {
    const { wasBroken } = await checkGrant(context, connection)
    return wasBroken ? { state: 'done' } : { state: 'ignored', reason: 'The app works.' }
  } catch (error) {
    if (error instanceof ConnectionRevoked) return { state: 'done' }
    throw error
  }
}

async function disconnectUninstalled(context: Context, { account_id, authorization_id }: ReceivedEvent) {
  if (!authorization_id || !(await loadConnected(context, account_id, authorization_id))) {
    return { state: 'ignored' as const, reason: 'It was already disconnected.' }
  }
  await context.change(async (tx) => {
    await getAuthorization(tx.db, account_id, authorization_id)
    await removeAuthorization(tx, { account_id, user_id: null, address: '' }, authorization_id)
  })
  return { state: 'done' as const }
}

async function applyIssueEvent(context: Context, account_id: string, news: IssueNews): Promise<InboundOutcome> {
  const { db, change } = context
  const previous = await findKnown(db, account_id, news)
  const state: KnownIssue = { state: news.state, updated_at: new Date(news.updated_at).toISOString() }
  if (previous && previous.updated_at > state.updated_at)
    return { state: 'ignored', reason: 'A newer version is already stored.' }
  const following = await findFollowing(db, account_id, news)
  // Without an earlier state, only a closed issue is news.
  const isNew = previous ? previous.state !== state.state : state.state === 'closed'
  const changing = following.filter(
    ({ state: own }) => isNew && (own === 'done' || own === 'closed') !== isClosed(news),
  )
  for (const issue of changing) {
    // Before the issue is updated, so that no customer is missed if the server dies in between.
    for (const customer_id of await listCustomersOf(db, account_id, issue.id)) {
      await postNote(context, account_id, customer_id, news, state)
    }
  }
  await change(async (tx) => {
    for (const { id } of changing) {
      await updateIssue(tx, account_id, id, { state: isClosed(news) ? 'done' : 'unstarted' })
    }
    await storeKnownIssue(tx, account_id, news, state)
  })
  return changing.length > 0 ? { state: 'done' } : { state: 'ignored', reason: 'It changes no issue in Parley.' }
}

function isClosed({ state }: Pick<IssueNews, 'state'>): boolean {
  return state === 'closed'
}

/** Adds a private note to the latest conversation of a linked customer, which reopens it. */
async function postNote(
  context: Context,
  account_id: string,
  customer_id: string,
  news: IssueAddress & Pick<IssueNews, 'state'>,
  { state, updated_at }: KnownIssue,
): Promise<void> {
  const { db, change } = context
  const conversation = await findNewestConversation(db, account_id, customer_id)
  if (!conversation) return
  const [emoji, what] = isClosed(news) ? [':white_check_mark:', 'closed'] : [':mega:', 'reopened']
  const body = `${emoji} A GitHub issue that this person is subscribed to has been ${what}: ${urlOf(news)}`
  const id = deriveId(`github ${account_id} ${keyOf(news)} ${state} ${updated_at} ${customer_id}`)
  await change(async (tx) => {
    const draft = { id, conversation_id: conversation.id, body, private: true }
    await postMessage(context, tx, account_id, { kind: 'bot', user_id: null }, draft)
    if (conversation.status === 'closed')
      await updateConversation(tx, { account_id, user_id: null, address: '' }, conversation.id, { status: 'open' })
  })
}
