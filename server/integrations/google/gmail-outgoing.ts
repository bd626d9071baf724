import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { VendorRefused } from '../../features/authorizations/vendor-call.ts'
import { findGmailThread } from '../../features/conversation-mails/find-conversation.ts'
import { noteAnswer, noteHandedOver } from '../../features/conversation-mails/note-sent.ts'
import { NoRecipient, prepareAnswer } from '../../features/conversation-mails/prepare-answer.ts'
import { Never, type NewDelivery, type OpenDelivery, type Planned, type Receipt } from '../../integration.ts'
import { asSent, type Mail } from '../../platform/mail/mailer.ts'
import { newId } from '../../platform/secrets.ts'
import { askGoogle, type GoogleConnection } from './client.ts'
import { emailOf } from './gmail-connect.ts'

/** While an answer can still be taken back. */
const UNDO_MS = 5_000

/** Answers of the team leave by the Gmail mailbox of whoever wrote them, else by that of the conversation. */
export function wants({ event, conversation, authorizations }: Planned): NewDelivery[] {
  if (event.type !== 'message:created' || conversation?.source !== 'email') return []
  const { message } = event
  // What was written in another mail program has left already.
  if (message.metadata?.ses_message_id !== undefined) return []
  return authorizations
    .filter(({ id }) => id === conversation.mailbox_id)
    .map(({ id }) => ({
      authorization_id: id,
      kind: 'post' as const,
      queue: `mail ${conversation.id}`,
      conversation_id: conversation.id,
      message_id: message.id,
      not_before: new Date(Date.now() + UNDO_MS),
    }))
}

/** Sends one answer from the mailbox, into its thread. */
export async function deliver(
  context: Context,
  { account_id, message_id, conversation_id, authorization }: OpenDelivery,
): Promise<Receipt> {
  const connection = authorization as unknown as GoogleConnection
  if (!message_id) return { dropped: true }
  const email = emailOf(connection)
  const answer = await prepareAnswer(context, account_id, message_id, email).catch((error: unknown) => {
    throw error instanceof NoRecipient ? new Never(error.message) : error
  })
  if (!answer) return { dropped: true }
  // Answers come back to the mailbox of an inbox by themselves; that of one person is not read.
  const mail = connection.inbox_id ? { ...answer.mail, reply_to: null } : answer.mail
  const way = { account_id, message_id, authorization_id: connection.id }
  await context.change((open) => noteAnswer(open, way, { ...answer, mail }))
  const thread = conversation_id && (await findGmailThread(context.db, account_id, connection.id, conversation_id))
  const { id } = await sendMail(context, connection, mail, thread ?? undefined).catch(async (error: Error) => {
    const failure = error.message.slice(0, 500)
    const outcome = error instanceof Never ? { failed_at: new Date().toISOString(), failure } : { failure }
    await context.change((open) => noteHandedOver(open, way, outcome))
    throw error
  })
  await context.change((open) => noteHandedOver(open, way, { sent_at: new Date().toISOString(), failure: null }))
  return { external_id: id }
}

/** Looks whether an answer left whose sending ended nobody knows how. */
export async function findSent(
  context: Context,
  { account_id, message_id, authorization }: OpenDelivery,
): Promise<Receipt | undefined> {
  if (!message_id) return undefined
  const connection = authorization as unknown as GoogleConnection
  const header = `${message_id}@${new URL(context.config.baseUrl).hostname}`
  const query = new URLSearchParams({ q: `rfc822msgid:${header}` })
  const url = `${context.config.gmailApiUrl}/gmail/v1/users/me/messages?${query}`
  const { messages = [] } = await askGoogle(context, connection, { url }, Found)
  const [found] = messages
  if (!found) return undefined
  const way = { account_id, message_id, authorization_id: connection.id }
  await context.change((open) => noteHandedOver(open, way, { sent_at: new Date().toISOString(), failure: null }))
  return { external_id: found.id }
}

const Found = z.object({ messages: z.optional(z.array(z.object({ id: z.string() }))) })
const Sent = z.looseObject({ id: z.string(), threadId: z.optional(z.string()) })
const TIMEOUT_MS = 90_000
/** Beyond this Gmail takes a mail only as an upload. */
const LARGE = 4_000_000

function callOf(raw: Buffer, threadId?: string) {
  const json = { raw: raw.toString('base64url'), ...(threadId && { threadId }) }
  return { path: '/gmail/v1/users/me/messages/send', content: { json } }
}

function uploadOf(raw: Buffer, threadId?: string) {
  const boundary = `parley-${newId()}`
  const about = `--${boundary}\r\ncontent-type: application/json\r\n\r\n${JSON.stringify({ threadId })}\r\n`
  const head = `${about}--${boundary}\r\ncontent-type: message/rfc822\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), raw, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const headers = { 'content-type': `multipart/related; boundary=${boundary}` }
  return { path: '/upload/gmail/v1/users/me/messages/send?uploadType=multipart', content: { body, headers } }
}

/** Hands a mail over to Gmail. A thread that was deleted there is begun anew. */
export async function sendMail(
  context: Context,
  connection: GoogleConnection,
  mail: Mail,
  threadId?: string,
): Promise<z.output<typeof Sent>> {
  const message = new MailComposer(asSent(mail, emailOf(connection))).compile()
  // Who is in blind copy is told to Gmail alone, which takes it out.
  message.keepBcc = true
  const raw = await message.build()
  const send = (thread?: string) => {
    const call = raw.length > LARGE ? uploadOf(raw, thread) : callOf(raw, thread)
    const url = `${context.config.gmailApiUrl}${call.path}`
    return askGoogle(context, connection, { method: 'POST', timeout_ms: TIMEOUT_MS, ...call.content, url }, Sent)
  }
  try {
    return await send(threadId)
  } catch (error) {
    if (threadId && error instanceof VendorRefused && error.status === 404) return send()
    throw error
  }
}
