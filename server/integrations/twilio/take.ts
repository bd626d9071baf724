import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { BadRequest } from '../../errors.ts'
import { findByAddress } from '../../features/authorizations/authorizations.ts'
import { storeInbound } from '../../features/inbound/store-event.ts'
import type { Change } from '../../platform/db/change.ts'
import { addressOf } from './client.ts'
import { selectByService } from './messaging-service.ts'

/** What came in: somebody's message, or what became of one of ours. */
export const FromTwilio = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    sid: z.string(),
    from: z.string(),
    /** The number of ours to which it came. */
    to: z.optional(z.string()),
    body: z.string(),
    media_count: z.int(),
    /** What Twilio made of it: STOP, START or HELP. */
    opt_out: z.nullable(z.string()),
  }),
  z.object({ kind: z.literal('failure'), sid: z.string(), to: z.string(), code: z.nullable(z.int()) }),
])
export type FromTwilio = z.output<typeof FromTwilio>

interface AuthorizationKey {
  account_id: string
  id: string
}

/** Stores what came in, once, by whatever way it is told. */
export async function storeFromTwilio(
  context: Pick<Context, 'jobs'>,
  open: Change,
  { account_id, id }: AuthorizationKey,
  payload: FromTwilio,
): Promise<boolean> {
  const other = payload.kind === 'message' ? payload.from : payload.to
  return storeInbound(context, open, {
    account_id,
    integration: 'twilio',
    authorization_id: id,
    key: `${payload.kind} ${payload.sid}`,
    queue: `${id} ${other}`,
    payload,
  })
}

/**
 * Takes what Twilio tells in a call. It belongs to the connection of its account and number there, or of its messaging service, and is believed about the
 * accounts alone whose token signed it.
 * @throws BadRequest for what is not whole
 */
export async function takeCall(context: Context, fields: URLSearchParams, signedBy: string[]): Promise<void> {
  const read = (name: string) => fields.get(name) ?? ''
  const [sid, from, to] = [read('MessageSid') || read('SmsSid'), read('From'), read('To')]
  if (!sid || !from || !to) throw new BadRequest('MessageSid, From and To are needed.')
  const status = read('MessageStatus')
  const payload = status ? failureIn(fields, status, { sid, to }) : messageIn(fields, { sid, from, to })
  if (!payload) return
  const account_sid = read('AccountSid')
  const ofNumber = () => findByAddress(context.db, 'twilio', addressOf(account_sid, status ? from : to))
  const ofService = () =>
    selectByService(context.db, account_sid, read('MessagingServiceSid'), signedBy).limit(1).executeTakeFirst()
  // What a messaging service has sent is its own, from whatever number; what comes to a number that is connected by itself is not.
  const found = status ? ((await ofService()) ?? (await ofNumber())) : ((await ofNumber()) ?? (await ofService()))
  if (!found || !signedBy.includes(found.account_id)) return
  await context.change((open) => storeFromTwilio(context, open, found, payload))
}

function messageIn(fields: URLSearchParams, ends: { sid: string; from: string; to: string }): FromTwilio {
  const media_count = Math.min(Number.parseInt(fields.get('NumMedia') ?? '0', 10) || 0, 10)
  const [body, opt_out] = [fields.get('Body') ?? '', fields.get('OptOutType') || null]
  return { kind: 'message', ...ends, body, media_count, opt_out }
}

/** Of a message that is on its way, or arrived, nothing is noted. */
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

export function codeIn(given: string | number | null | undefined): number | null {
  return Number.parseInt(String(given ?? ''), 10) || null
}
