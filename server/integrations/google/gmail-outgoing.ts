import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { addMetadata } from '../../features/conversations/conversations/changing-messages.ts'
import { sendRecorded, writeAnswerMail } from '../../features/mail/conversation-mails/answering.ts'
import { findGmailThread } from '../../features/mail/conversation-mails/find-conversation.ts'
import { recordSubmission } from '../../features/mail/conversation-mails/record-sent.ts'
import type { OpenDelivery, Receipt } from '../../integration.ts'
import { composeMail, type Mail } from '../../platform/mail/mailer.ts'
import { newId } from '../../platform/secrets.ts'
import { type GoogleConnection, requestGoogle } from './client.ts'
import { emailOf } from './gmail-connect.ts'

/** Sends a reply from the mailbox, in its thread. */
export async function deliverByGmail(
  context: Context,
  { account_id, message_id, conversation_id, authorization: connection }: OpenDelivery<GoogleConnection>,
): Promise<Receipt> {
  if (!message_id) return { dropped: true }
  const answer = await writeAnswerMail(context, { account_id, message_id }, emailOf(connection))
  if (!answer) return { dropped: true }
  // Answers arrive in the mailbox of an inbox by themselves; a personal mailbox is not read.
  const mail = connection.inbox_id ? { ...answer.mail, reply_to: null } : answer.mail
  const route = { account_id, message_id, authorization_id: connection.id }
  const thread = conversation_id && (await findGmailThread(context.db, account_id, connection.id, conversation_id))
  const sent = await sendRecorded(context, route, { ...answer, mail }, (recorded) =>
    sendMail(context, connection, recorded, thread ?? undefined),
  )
  const metadata = metadataOf(mail, emailOf(connection), sent)
  await context.change((tx) => addMetadata(tx, account_id, message_id, metadata))
  return { external_id: sent.id }
}

/** Metadata of a mail sent through Gmail, for existing clients. Recipients of blind copies are left out. */
function metadataOf({ subject, to, cc, headers, message_id }: Mail, from: string, sent: z.output<typeof Sent>) {
  return {
    gmail_id: sent.id,
    ...(sent.threadId && { gmail_thread_id: sent.threadId }),
    gmail_message_id: message_id,
    gmail_subject: subject,
    gmail_from: from,
    gmail_to: [to].flat(),
    gmail_cc: cc ?? [],
    gmail_in_reply_to: headers['In-Reply-To'] ?? null,
    gmail_references: headers.References?.split(' ') ?? [],
  }
}

/** Looks for a reply whose sending had an unknown outcome. */
export async function findSent(
  context: Context,
  { account_id, message_id, authorization: connection }: OpenDelivery<GoogleConnection>,
): Promise<Receipt | undefined> {
  if (!message_id) return undefined
  const header = `${message_id}@${new URL(context.config.baseUrl).hostname}`
  const query = new URLSearchParams({ q: `rfc822msgid:${header}` })
  const url = `${context.config.gmailApiUrl}/gmail/v1/users/me/messages?${query}`
  const { messages = [] } = await requestGoogle(context, connection, { url }, FoundMessages)
  const [match] = messages
  if (!match) return undefined
  const route = { account_id, message_id, authorization_id: connection.id }
  await context.change((tx) => recordSubmission(tx, route, { sent_at: new Date().toISOString(), failure: null }))
  return { external_id: match.id }
}

const FoundMessages = z.object({ messages: z.optional(z.array(z.object({ id: z.string() }))) })
const Sent = z.looseObject({ id: z.string(), threadId: z.optional(z.string()) })
const TIMEOUT_MS = 90_000
/** Larger mails have to be uploaded to Gmail. */
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

/** Sends a mail through Gmail. If its thread was deleted there, a new one is started. */
export async function sendMail(
  context: Context,
  connection: GoogleConnection,
  mail: Mail,
  threadId?: string,
): Promise<z.output<typeof Sent>> {
  const message = await composeMail(mail, emailOf(connection))
  // Gmail needs the recipients of blind copies, and removes them from the mail.
  message.keepBcc = true
  const raw = await message.build()
  const send = (thread?: string) => {
    const call = raw.length > LARGE ? uploadOf(raw, thread) : callOf(raw, thread)
    const url = `${context.config.gmailApiUrl}${call.path}`
    return requestGoogle(context, connection, { method: 'POST', timeout_ms: TIMEOUT_MS, ...call.content, url }, Sent)
  }
  try {
    return await send(threadId)
  } catch (error) {
    if (threadId && error instanceof VendorRefused && error.status === 404) return send()
    throw error
  }
}
