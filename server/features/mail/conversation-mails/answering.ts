import type { Context } from '../../../context.ts'
import { type NewDelivery, PermanentFailure, type Planned } from '../../../integration.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { NoRecipient, type PreparedAnswer, prepareAnswer } from './prepare-answer.ts'
import { type Route, recordAnswer, recordSubmission } from './record-sent.ts'

/**
 * Plans mails for the team's messages in mail conversations, over these connections; null is the installation's own
 * mail server.
 */
export function planAnswers({ event, conversation }: Planned, ways: (string | null)[]): NewDelivery[] {
  if (event.type !== 'message:created' || conversation?.source !== 'email') return []
  const { message, is_received } = event
  // Messages written in another mail program were already sent.
  if (is_received) return []
  return ways.map((authorization_id) => ({
    authorization_id,
    kind: 'post' as const,
    queue: `mail ${conversation.id}`,
    conversation_id: conversation.id,
    message_id: message.id,
  }))
}

/** Plans mails over the conversation's mailbox, if it is one of these connections. */
export function planAnswersByMailbox(planned: Planned): NewDelivery[] {
  const { authorizations, conversation } = planned
  const ways = authorizations.filter(({ id }) => id === conversation?.mailbox_id).map(({ id }) => id)
  return planAnswers(planned, ways)
}

/**
 * Writes the mail of a reply; undefined if there is nothing to send.
 * @throws Never if it has no recipient
 */
export async function writeAnswerMail(
  context: Context,
  { account_id, message_id }: Pick<Route, 'account_id' | 'message_id'>,
  from: string | null,
): Promise<PreparedAnswer | undefined> {
  return prepareAnswer(context, account_id, message_id, from).catch((error: unknown) => {
    throw error instanceof NoRecipient ? new PermanentFailure(error.message) : error
  })
}

/** Records a reply, sends it, and records the outcome. Returns the result of sending. */
export async function sendRecorded<Sent>(
  context: Context,
  route: Route,
  answer: PreparedAnswer,
  submit: (mail: Mail) => Promise<Sent>,
): Promise<Sent> {
  await context.change((tx) => recordAnswer(tx, route, answer))
  const sent = await submit(answer.mail).catch(async (error: Error) => {
    const failure = error.message.slice(0, 500)
    const outcome = error instanceof PermanentFailure ? { failed_at: new Date().toISOString(), failure } : { failure }
    await context.change((tx) => recordSubmission(tx, route, outcome))
    throw error
  })
  await context.change((tx) => recordSubmission(tx, route, { sent_at: new Date().toISOString(), failure: null }))
  return sent
}
