import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { saveCursor } from '../../features/connections/authorizations/connect.ts'
import { VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { storeBytes, storeInbound } from '../../features/connections/inbound/store-event.ts'
import { isKnownGmailThread } from '../../features/mail/conversation-mails/find-conversation.ts'
import { outcomeOf } from '../../features/mail/conversation-mails/outcome.ts'
import { receiveMail } from '../../features/mail/conversation-mails/receive-mail.ts'
import type { InboundOutcome, ReceivedEvent } from '../../integration.ts'
import { type GmailCursor, type GoogleConnection, requestGoogle } from './client.ts'

/** How far a mailbox was read. As text, because history ids exceed the range of numbers. */
const Ids = z.array(z.object({ id: z.string() }))
const History = z.object({
  historyId: z.optional(z.string()),
  nextPageToken: z.optional(z.string()),
  history: z.optional(
    z.array(z.object({ messagesAdded: z.optional(z.array(z.object({ message: z.object({ id: z.string() }) }))) })),
  ),
})
const List = z.object({ messages: z.optional(Ids), nextPageToken: z.optional(z.string()) })
const Profile = z.object({ historyId: z.string() })
const Raw = z.object({
  id: z.string(),
  threadId: z.string(),
  labelIds: z.optional(z.array(z.string())),
  historyId: z.optional(z.string()),
  snippet: z.optional(z.string()),
  raw: z.string(),
})

const PAGES = 20
/** Gmail keeps its history for about a week. Beyond that, mails since the last poll are listed again. */
const OVERLAP_S = 3600
const LARGEST = 60_000_000

/** Imports mails since the last poll. */
export async function pollGmail(context: Context, connection: GoogleConnection): Promise<void> {
  const { cursor } = connection
  // Personal mailboxes are not read.
  if (!cursor || connection.inbox_id === null) return
  const { ids, history_id } = await listNew(context, connection, cursor)
  for (const id of ids) await fetchMail(context, connection, id)
  const next: GmailCursor = { history_id, synced_at: new Date().toISOString() }
  const { account_id, id } = connection
  await context.change((tx) => saveCursor(tx, account_id, id, next))
}

const apiOf = ({ config }: Context) => `${config.gmailApiUrl}/gmail/v1/users/me`

async function listNew(context: Context, connection: GoogleConnection, cursor: GmailCursor) {
  try {
    return await listHistory(context, connection, cursor.history_id)
  } catch (error) {
    if (!(error instanceof VendorRefused && error.status === 404)) throw error
    return listSince(context, connection, cursor.synced_at)
  }
}

async function listHistory(context: Context, connection: GoogleConnection, startHistoryId: string) {
  const ids = new Set<string>()
  let [history_id, pageToken] = [startHistoryId, undefined as string | undefined]
  for (let page = 0; page < PAGES; page++) {
    const query = new URLSearchParams({ startHistoryId, historyTypes: 'messageAdded', maxResults: '500' })
    if (pageToken) query.set('pageToken', pageToken)
    const response = await requestGoogle(context, connection, { url: `${apiOf(context)}/history?${query}` }, History)
    for (const { messagesAdded = [] } of response.history ?? [])
      for (const added of messagesAdded) ids.add(added.message.id)
    history_id = response.historyId ?? history_id
    pageToken = response.nextPageToken
    if (!pageToken) break
  }
  return { ids: [...ids], history_id }
}

/**
 * For when the history does not reach back far enough. The current history id is read first, so that nothing is missed
 * in between.
 */
async function listSince(context: Context, connection: GoogleConnection, synced_at: string) {
  const { historyId } = await requestGoogle(context, connection, { url: `${apiOf(context)}/profile` }, Profile)
  const after = Math.floor(Date.parse(synced_at) / 1000) - OVERLAP_S
  const ids: string[] = []
  let pageToken: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const query = new URLSearchParams({ q: `after:${after}`, maxResults: '500', ...(pageToken && { pageToken }) })
    const response = await requestGoogle(context, connection, { url: `${apiOf(context)}/messages?${query}` }, List)
    ids.push(...(response.messages ?? []).map(({ id }) => id))
    pageToken = response.nextPageToken
    if (!pageToken) break
  }
  // Gmail lists the newest first.
  return { ids: ids.toReversed(), history_id: historyId }
}

/** Mails with these labels are ignored. */
const LEFT_OUT = ['SPAM', 'TRASH', 'DRAFT', 'CHAT', 'CATEGORY_PROMOTIONS']

async function fetchMail(context: Context, connection: GoogleConnection, id: string): Promise<void> {
  const { account_id, id: authorization_id } = connection
  const url = `${apiOf(context)}/messages/${encodeURIComponent(id)}?format=raw`
  const call = { url, max_bytes: LARGEST, timeout_ms: 60_000 }
  const mail = await requestGoogle(context, connection, call, Raw).catch((error: unknown) => {
    // Somebody may have deleted it meanwhile.
    if (error instanceof VendorRefused && error.status === 404) return undefined
    throw error
  })
  const labels = mail?.labelIds ?? []
  if (!mail || labels.some((label) => LEFT_OUT.includes(label))) return
  const file_key = await storeBytes(context, account_id, Buffer.from(mail.raw, 'base64url'))
  await context.change((tx) =>
    storeInbound(context, tx, {
      account_id,
      integration: 'gmail',
      authorization_id,
      key: `${authorization_id} ${id}`,
      queue: `${authorization_id} ${mail.threadId}`,
      payload: { id, thread: mail.threadId, labels, history_id: mail.historyId, snippet: mail.snippet?.slice(0, 300) },
      file_key,
    }),
  )
}

const Payload = z.object({
  id: z.string(),
  thread: z.string(),
  labels: z.array(z.string()),
  history_id: z.optional(z.string()),
  snippet: z.optional(z.string()),
  is_wanted: z.optional(z.boolean()),
})

/** Labels of bulk mail, which only becomes a message if somebody answers it. */
const CROWD = ['CATEGORY_FORUMS', 'CATEGORY_UPDATES', 'CATEGORY_SOCIAL']

/** Turns a mail into a message, whether received in the mailbox or sent from it by another program. */
export async function receiveFromGmail(context: Context, event: ReceivedEvent): Promise<InboundOutcome> {
  const { account_id, authorization_id, bytes } = event
  const connection = authorization_id && (await loadConnected<GoogleConnection>(context, account_id, authorization_id))
  if (!bytes || !connection) return { state: 'ignored', reason: 'Its mailbox has been disconnected.' }
  const { thread, labels, is_wanted, ...gmail } = z.parse(Payload, event.payload)
  const isOfCrowd = labels.some((label) => CROWD.includes(label)) && !is_wanted
  if (isOfCrowd && !(await isKnownGmailThread(context.db, account_id, connection.id, thread))) {
    return { state: 'ignored', reason: 'Gmail sorted it as an update, a forum or a social network.' }
  }
  const sent = labels.includes('SENT')
  const outcome = await receiveMail(context, {
    account_id,
    inbox_id: connection.inbox_id,
    authorization_id: connection.id,
    raw: bytes,
    envelope: { recipients: [connection.address!] },
    hints: {
      mail_host: 'imap.gmail.com',
      gmail_thread: thread,
      metadata: {
        gmail_id: gmail.id,
        gmail_thread_id: thread,
        gmail_label_ids: labels.slice(0, 30),
        ...(gmail.history_id && { gmail_history_id: gmail.history_id }),
        ...(gmail.snippet && { gmail_snippet: gmail.snippet }),
      },
      ...(is_wanted && { is_wanted }),
      ...(sent && { sent, ...(connection.user_id && { mailbox_user_id: connection.user_id }) }),
    },
  })
  return outcomeOf(outcome)
}
