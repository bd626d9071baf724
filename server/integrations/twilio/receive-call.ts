import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { BadRequest } from '../../errors.ts'
import { findByAddress } from '../../features/connections/authorizations/authorizations.ts'
import { storeInbound } from '../../features/connections/inbound/store-event.ts'
import type { Change } from '../../platform/db/change.ts'
import { addressOf } from './client.ts'
import { selectByService } from './messaging-service.ts'
import { isWhatsapp, numberOf, selectByWhatsapp } from './whatsapp.ts'

/** A received event: a message, or the failure of one of ours. */
export const FromTwilio = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    sid: z.string(),
    from: z.string(),
    /** Our number that received it. */
    to: z.optional(z.string()),
    body: z.string(),
    media_count: z.int(),
    /** How Twilio classified it: STOP, START or HELP. */
    opt_out: z.nullable(z.string()),
    /** When it was written, if it was polled. */
    sent_at: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('failure'), sid: z.string(), to: z.string(), code: z.nullable(z.int()) }),
])
export type FromTwilio = z.output<typeof FromTwilio>

interface AuthorizationKey {
  account_id: string
  id: string
}

/** Stores a received event, once however it arrives. */
export async function storeFromTwilio(
  context: Pick<Context, 'jobs'>,
  tx: Change,
  { account_id, id }: AuthorizationKey,
  payload: FromTwilio,
): Promise<boolean> {
  const other = payload.kind === 'message' ? payload.from : payload.to
  return storeInbound(context, tx, {
    account_id,
    integration: 'twilio',
    authorization_id: id,
    key: `${payload.kind} ${payload.sid}`,
    queue: `${id} ${other}`,
    payload,
  })
}

/**
 * Handles a call of Twilio. It belongs to the connection of its Twilio account and number, or of its messaging service,
 * and is only trusted for the accounts whose token signed it.
 * @throws BadRequest if fields are missing
 */
export async function receiveCall(context: Context, fields: URLSearchParams, signedBy: string[]): Promise<void> {
  const read = (name: string) => fields.get(name) ?? ''
  const [sid, from, to] = [read('MessageSid') || read('SmsSid'), read('From'), read('To')]
  if (!sid || !from || !to) throw new BadRequest('MessageSid, From and To are needed.')
  const status = read('MessageStatus')
  const payload = status ? failureIn(fields, status, { sid, to }) : messageIn(fields, { sid, from, to })
  if (!payload) return
  const account_sid = read('AccountSid')
  const own = status ? from : to
  const ofNumber = () =>
    isWhatsapp(own)
      ? selectByWhatsapp(context.db, account_sid, numberOf(own)).limit(1).executeTakeFirst()
      : findByAddress(context.db, 'twilio', addressOf(account_sid, own))
  const ofService = () =>
    selectByService(context.db, account_sid, read('MessagingServiceSid'), signedBy).limit(1).executeTakeFirst()
  // A status of a messaging service's message belongs to the service, whatever the number; a message to a number with
  // its own connection does not.
  const connection = status ? ((await ofService()) ?? (await ofNumber())) : ((await ofNumber()) ?? (await ofService()))
  if (!connection || !signedBy.includes(connection.account_id)) return
  await context.change((tx) => storeFromTwilio(context, tx, connection, payload))
}

function messageIn(fields: URLSearchParams, ends: { sid: string; from: string; to: string }): FromTwilio {
  const media_count = Math.min(Number.parseInt(fields.get('NumMedia') ?? '0', 10) || 0, 10)
  const [body, opt_out] = [fields.get('Body') ?? '', fields.get('OptOutType') || null]
  return { kind: 'message', ...ends, body, media_count, opt_out }
}

/** Messages in transit or delivered are not recorded. */
function failureIn(
  fields: URLSearchParams,
  status: string,
  { sid, to }: { sid: string; to: string },
): FromTwilio | undefined {
  if (!isFailure(status)) return undefined
  return { kind: 'failure', sid, to, code: codeIn(fields.get('ErrorCode')) }
}

export function isFailure(status: string | undefined): boolean {
  return status === 'undelivered' || status === 'failed'
}

export function codeIn(value: string | number | null | undefined): number | null {
  return Number.parseInt(String(value ?? ''), 10) || null
}
