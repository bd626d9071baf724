import type { PushPayload, PushSubscription } from '#contract/conversations/push.ts'
import type { Context } from '../../../context.ts'
import { AddressRefused } from '../../../platform/outbound/guard.ts'
import { OutboundFailed, type OutboundResponse } from '../../../platform/outbound/outbound.ts'
import type { Recipient } from './devices.ts'
import { loadPushKeys, readPushSender } from './keys.ts'

/** How long a push service keeps what it cannot deliver yet. Later, nobody waits for it any more. */
export const TTL_SECONDS = 4 * 3_600
const TIMEOUT_MS = 8_000
const BAD_KEYS = 'The keys of this device are not valid. Turn notifications off and on again on this device.'

/**
 * What became of a push: accepted; the device no longer exists; a problem that repeating does not solve; too large; or
 * worth another try, after so many seconds if the push service said so. Problems are sentences for people.
 */
export type Delivery =
  | { kind: 'accepted' }
  | { kind: 'unsubscribed' }
  | { kind: 'refused'; problem: string }
  | { kind: 'too large'; problem: string }
  | { kind: 'later'; problem: string; seconds: number | undefined }

/** Encrypts a payload for a device and hands it to the device's push service. */
export async function deliverPush(
  context: Context,
  { subscription }: Recipient,
  payload: PushPayload,
): Promise<Delivery> {
  const sender = readPushSender(context.config)
  if ('problem' in sender) return { kind: 'refused', problem: sender.problem }
  const encrypted = await encrypt(context, subscription, payload, sender.subject)
  if (!encrypted) return { kind: 'refused', problem: BAD_KEYS }
  const { host } = new URL(subscription.endpoint)
  const emulator = context.config.pushServiceUrl
  try {
    const response = await context.outbound.request(emulated(subscription.endpoint, emulator), {
      method: 'POST',
      ...encrypted,
      timeout_ms: TIMEOUT_MS,
      cut_off: true,
      may_be_private: emulator !== '',
    })
    return readAnswer(host, response)
  } catch (error) {
    if (error instanceof AddressRefused) return { kind: 'refused', problem: error.message }
    if (!(error instanceof OutboundFailed)) throw error
    const problem = `${error.message} Allow this server to reach ${host} over HTTPS (port 443), also in firewalls.`
    return { kind: 'later', problem, seconds: undefined }
  }
}

/** The headers and the body of a push; undefined if the keys that the browser sent are none. */
async function encrypt(context: Context, subscription: PushSubscription, payload: PushPayload, subject: string) {
  // Loaded with the first push: many servers never send one.
  const { buildPushPayload } = await import('@block65/webcrypto-web-push')
  const keys = await loadPushKeys(context)
  try {
    const { headers, body } = await buildPushPayload(
      {
        data: JSON.stringify(payload),
        options: { ttl: TTL_SECONDS, urgency: 'high', topic: payload.notification.tag },
      },
      { ...subscription, expirationTime: null },
      { ...keys, subject },
    )
    // The client computes the length itself.
    const { 'content-length': _, ...sent } = headers
    return { headers: sent, body: Buffer.from(body) }
  } catch (error) {
    context.log.warn({ err: error }, 'A push could not be encrypted')
    return undefined
  }
}

/** Tests and demonstrations have one push service for all hosts. */
function emulated(endpoint: string, emulator: string): string {
  const { host, pathname, search } = new URL(endpoint)
  return emulator ? `${emulator}/${host}${pathname}${search}` : endpoint
}

function readAnswer(host: string, { status, ok, headers, bytes }: OutboundResponse): Delivery {
  if (ok) return { kind: 'accepted' }
  if (status === 404 || status === 410) return { kind: 'unsubscribed' }
  const said = `${host} answered ${status}${reasonIn(bytes)}`
  if (status === 413) return { kind: 'too large', problem: `${said}: the notification is too large.` }
  if (status === 429 || status >= 500)
    return { kind: 'later', problem: `${said}. It is tried again.`, seconds: readRetryAfter(headers) }
  return {
    kind: 'refused',
    problem: `${said}: it does not accept the keys or the sender of this installation. Check MAIL_FROM and the clock of the server; if the data was copied from another installation, turn notifications off and on again on this device.`,
  }
}

/** The beginning of a short plain answer, such as `BadJwtToken`. */
function reasonIn(bytes: Buffer): string {
  const text = /[\w .:-]{3,60}/.exec(bytes.toString('utf8', 0, 300))?.[0].trim()
  return text ? ` (${text})` : ''
}

const LONGEST_WAIT = 3_600

/** Seconds of a `Retry-After` header, which may be a date. */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), LONGEST_WAIT) : undefined
}
