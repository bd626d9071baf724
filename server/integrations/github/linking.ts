import * as z from 'zod/mini'
import type { Message } from '#contract/conversations/messages.ts'
import type { Issue } from '#contract/customers/issues.ts'
import type { Context } from '../../context.ts'
import { NotFound } from '../../errors.ts'
import { defineConsumer } from '../../feature.ts'
import { isConnected } from '../../features/connections/authorizations/authorizations.ts'
import { recordFailure } from '../../features/connections/authorizations/health.ts'
import { VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { lockConversation } from '../../features/conversations/conversations/conversations.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import { getMessage } from '../../features/conversations/messages/messages.ts'
import { createIssue, listIssues } from '../../features/customers/issues/issues.ts'
import { linkIssue } from '../../features/customers/issues/linking.ts'
import { ConnectionRevoked } from '../../integration.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { deriveId } from '../../platform/secrets.ts'
import { findGithub } from './client.ts'
import { findIssueUrls, type IssueAddress, keyOf, urlOf } from './issue-url.ts'
import { canSee, readIssue } from './issues.ts'
import { findFollowing } from './known-issues.ts'

/** Links the issues in a message to the customer of its conversation. */
export const linkIssues = defineJob('github.linkIssues', {
  schema: z.object({ account_id: z.string(), message_id: z.string() }),
  tries: 6,
  backoff: { first: 5, longest: 600 },
  run: linkFromMessage,
})

/** Looks for links to issues in messages. */
export const findIssues = defineConsumer('github.findIssues', {
  of: ['message:created'],
  concerns: isConnected('github'),
  jobs: [linkIssues],
  async consume({ config, jobs }, { db }, events) {
    if (!config.integrations) return
    const payloads = events.flatMap(({ account_id, event, request_id }) => {
      const { type, id, body } = event.message
      const isNaming = type !== 'bot' && findIssueUrls(body ?? '').length > 0
      return isNaming ? [{ payload: { account_id, message_id: id }, request_id }] : []
    })
    await jobs.enqueueAll(db, linkIssues, payloads)
  },
})

const MAX_BODY_LENGTH = 50_000

async function linkFromMessage(
  context: Context,
  { account_id, message_id }: { account_id: string; message_id: string },
): Promise<void> {
  const connection = await findGithub(context, account_id)
  if (!connection) return
  const message = await getMessage(context.db, account_id, message_id).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined
    throw error
  })
  if (!message) return
  try {
    for (const address of findIssueUrls(message.body ?? '')) {
      if (!(await canSee(context, connection, address))) continue
      const issue = await readIssue(context, connection, address).catch((error: unknown) => {
        if (error instanceof VendorRefused) return undefined
        throw error
      })
      if (issue) await link(context, account_id, message, address, issue)
    }
  } catch (error) {
    // Somebody has to reconnect; until then no retry helps.
    if (!(error instanceof ConnectionRevoked)) throw error
    await recordFailure(context, connection, error)
  }
}

interface IssueLink {
  title: string
  body?: string | null | undefined
  state: string
}

/** Creates our issue if there is none, and notes in the conversation that it was linked to the customer. */
async function link(
  context: Context,
  account_id: string,
  message: Pick<Message, 'id' | 'conversation_id' | 'user_id'>,
  address: IssueAddress,
  { title, body, state }: IssueLink,
): Promise<void> {
  await context.change(async (tx) => {
    const conversation = await lockConversation(tx.db, account_id, message.conversation_id)
    if (!conversation) return
    const { customer_id } = conversation
    const [existing] = await findFollowing(tx.db, account_id, address)
    const linked = await listIssues(tx.db, account_id, { customer_id })
    if (existing && linked.some(({ id }) => id === existing.id)) return
    const issue: Issue =
      existing ??
      (await createIssue(tx, account_id, message.user_id, {
        title: title.slice(0, 500) || keyOf(address),
        body: body?.slice(0, MAX_BODY_LENGTH) ?? null,
        state: state === 'closed' ? 'done' : 'unstarted',
        github_issue_url: urlOf(address),
      }))
    await linkIssue(tx, account_id, customer_id, issue)
    const text = `:link: This person is now subscribed to the GitHub issue [${issue.title.replaceAll(/[[\]]/g, '')}](${urlOf(address)})`
    await postMessage(
      context,
      tx,
      account_id,
      { kind: 'bot', user_id: null },
      {
        id: deriveId(`github link ${account_id} ${message.id} ${keyOf(address)}`),
        conversation_id: message.conversation_id,
        body: text,
        private: true,
        isQuiet: true,
      },
    )
  })
}
