import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { saveCursor } from '../../features/connections/authorizations/connect.ts'
import { retryRead } from '../../features/connections/authorizations/retry-read.ts'
import { findSentMessage } from '../../features/connections/external-links/external-links.ts'
import { requestTwilio, type Twilio, type TwilioCursor, TwilioMessage } from './client.ts'
import { listNumbers } from './messaging-service.ts'
import { codeIn, type FromTwilio, isFailure, storeFromTwilio } from './receive-call.ts'

const List = z.object({ messages: z.array(TwilioMessage), next_page_uri: z.optional(z.nullable(z.string())) })

const PAGE_SIZE = '200'
const PAGES = 10
/** Allows for clock differences, and for lists that lag. Known messages are stored once. */
const OVERLAP_MS = 10 * 60_000
/** How long a message may still turn out to be undelivered. */
const LATE_MS = 24 * 3_600_000

/** Imports messages since the last poll, even if Twilio calls: calls may have been missed. */
export async function pollTwilio(context: Context, twilio: Twilio): Promise<void> {
  const { synced_at } = twilio.cursor ?? { synced_at: twilio.created_at }
  const now = new Date().toISOString()
  const numbers = await retryRead(() => listNumbers(context, twilio))
  const received: FromTwilio[] = []
  for (const number of numbers) {
    const came = await listMessages(context, twilio, { to: number, since: Date.parse(synced_at) - OVERLAP_MS })
    received.push(...came.flatMap(incoming), ...(await listFailures(context, twilio, number)))
  }
  await context.change(async (tx) => {
    for (const item of received) await storeFromTwilio(context, tx, twilio, item)
    await saveCursor(tx, twilio.account_id, twilio.id, { synced_at: now, numbers } satisfies TwilioCursor)
  })
}

function incoming({ sid, from, to, body, direction, num_media, status, date_created }: TwilioMessage): FromTwilio[] {
  if (direction !== 'inbound' || !from || status === 'receiving') return []
  const media_count = Math.min(Number.parseInt(num_media ?? '0', 10) || 0, 10)
  const sent_at = new Date(date_created).toISOString()
  return [{ kind: 'message', sid, from, to: to ?? '', body: body ?? '', media_count, opt_out: null, sent_at }]
}

/** Messages sent from a number that were not delivered. */
async function listFailures(context: Context, twilio: Twilio, from: string): Promise<FromTwilio[]> {
  const sent = await listMessages(context, twilio, { from, since: Date.now() - LATE_MS, pages: 1 })
  const failures: FromTwilio[] = []
  for (const { sid, to, status, error_code } of sent) {
    if (!to || !isFailure(status)) continue
    const connectionKey = { account_id: twilio.account_id, authorization_id: twilio.id }
    const isOurs = await findSentMessage(context.db, connectionKey, sid)
    if (isOurs) failures.push({ kind: 'failure', sid, to, code: codeIn(error_code) })
  }
  return failures
}

interface MessageRange {
  to?: string
  from?: string
  since: number
  pages?: number
}

/** Messages to or from a number, oldest first. Twilio lists the newest first, and by whole days. */
export async function listMessages(
  context: Context,
  twilio: Twilio,
  { to, from, since, pages = PAGES }: MessageRange,
): Promise<TwilioMessage[]> {
  const { credentials } = twilio
  const messages: TwilioMessage[] = []
  let query: Record<string, string> | undefined = {
    ...(to && { To: to }),
    ...(from && { From: from }),
    'DateSent>': new Date(since).toISOString().slice(0, 10),
    PageSize: PAGE_SIZE,
  }
  for (let page = 0; query && page < pages; page++) {
    const call = { path: '/Messages.json', query }
    const list: z.output<typeof List> = await retryRead(() => requestTwilio(context, credentials, call, List))
    const recent = list.messages.filter(({ date_created }) => Date.parse(date_created) >= since)
    messages.push(...recent)
    const isMore = recent.length === list.messages.length && list.next_page_uri
    query = isMore ? queryOf(list.next_page_uri!) : undefined
  }
  return messages.reverse()
}

/** Only the query of the next page's address is used, not its host. */
function queryOf(uri: string): Record<string, string> {
  return Object.fromEntries(new URL(uri, 'https://api.twilio.com').searchParams)
}
