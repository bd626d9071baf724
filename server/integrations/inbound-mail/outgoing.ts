import type { Context } from '../../context.ts'
import { planAnswers, writeAnswerMail } from '../../features/mail/conversation-mails/answering.ts'
import { listSources } from '../../features/mail/conversation-mails/own-addresses.ts'
import { recordAnswer, recordSubmission } from '../../features/mail/conversation-mails/record-sent.ts'
import {
  type NewDelivery,
  type OpenDelivery,
  PermanentFailure,
  type Planned,
  type Receipt,
  RetryLater,
} from '../../integration.ts'
import type { Db } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { MailRefused } from '../../platform/mail/mailer.ts'

/** Sends the team's replies by mail if the conversation is one of mails, and no mailbox sends them. */
export function plan(planned: Planned): NewDelivery[] {
  return planAnswers(planned, planned.conversation?.mailbox_id ? [] : [null])
}

/** Sends a reply through the installation's mail server. A repeat has the same Message-ID. */
export async function deliverByMail(context: Context, { account_id, message_id }: OpenDelivery): Promise<Receipt> {
  const { change, mailer, db } = context
  if (!message_id) return { dropped: true }
  if (!mailer.isOn)
    throw new PermanentFailure('No mail server is set up. The operator of this server has to set SMTP_URL.')
  const from = await chooseSender(db, account_id, message_id)
  const answer = await writeAnswerMail(context, { account_id, message_id }, from)
  if (!answer) return { dropped: true }
  const route = { account_id, message_id, authorization_id: null }
  await change((tx) => recordAnswer(tx, route, answer))
  try {
    await mailer.send(answer.mail)
  } catch (error) {
    const failure = (error instanceof Error ? error.message : 'The mail server could not be reached.').slice(0, 500)
    const isFinal = error instanceof MailRefused
    const outcome = isFinal ? { failed_at: new Date().toISOString(), failure } : { failure }
    await change((tx) => recordSubmission(tx, route, outcome))
    throw isFinal
      ? new PermanentFailure(`The mail server refused it: ${failure}`)
      : new RetryLater(`The mail server did not accept it: ${failure}`)
  }
  await change((tx) => recordSubmission(tx, route, { sent_at: new Date().toISOString(), failure: null }))
  return { external_id: answer.mail.message_id }
}

/** The company's own verified address: the one the customer wrote to, else that of the inbox. */
async function chooseSender(db: Db, account_id: string, message_id: string): Promise<string | null> {
  const sources = (await listSources(db, account_id)).filter(({ verified_at }) => verified_at)
  if (sources.length === 0) return null
  const conversation = await ofAccount(db, account_id)
    .selectFrom('messages')
    .innerJoin('conversations', (join) =>
      join
        .onRef('conversations.account_id', '=', 'messages.account_id')
        .onRef('conversations.id', '=', 'messages.conversation_id'),
    )
    .innerJoin('inboxes', (join) =>
      join
        .onRef('inboxes.account_id', '=', 'conversations.account_id')
        .onRef('inboxes.id', '=', 'conversations.inbox_id'),
    )
    .select(['conversations.id', 'inboxes.id as inbox_id', 'inboxes.is_primary'])
    .where('messages.id', '=', message_id)
    .executeTakeFirst()
  if (!conversation) return null
  const last = await ofAccount(db, account_id)
    .selectFrom('message_mails')
    .select(['recipients', 'cc'])
    .where('conversation_id', '=', conversation.id)
    .where('direction', '=', 'in')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const written = new Set([...(last?.recipients ?? []), ...(last?.cc ?? [])])
  const isOfInbox = ({ inbox_id }: { inbox_id: string | null }) =>
    inbox_id ? inbox_id === conversation.inbox_id : conversation.is_primary
  const chosen = sources.find(({ source }) => written.has(source)) ?? sources.find(isOfInbox)
  return chosen?.source ?? null
}
