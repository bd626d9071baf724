import { createVerify, X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod/mini'
import { type Context, perServer } from '../../context.ts'
import { BadRequest, Refusal } from '../../errors.ts'

/** A message of Amazon's notification service (SNS). Must not be used before its signature was verified. */
const SnsMessage = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  Subject: z.optional(z.nullable(z.string())),
  Timestamp: z.string(),
  Token: z.optional(z.string()),
  SubscribeURL: z.optional(z.string()),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string(),
  SigningCertURL: z.string(),
})
export type SnsMessage = z.output<typeof SnsMessage>

/** SNS's hosts for certificates and confirmations, in every region. */
const OWN_HOST = /^sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/
const CERTIFICATE_BYTES = 20_000
const MAX_CERTIFICATES = 20
/** SNS retries for an hour. Repeats are stored once anyway. */
const MAX_AGE_MS = 24 * 3_600_000

/** Whether a call claims to be from SNS: without this header it is not treated as one. */
export function isSns(headers: IncomingHttpHeaders): boolean {
  return headers['x-amz-sns-message-type'] !== undefined
}

/** @throws BadRequest if it is no message of SNS */
export function readSns(body: Buffer): SnsMessage {
  try {
    return z.parse(SnsMessage, JSON.parse(body.toString('utf8')))
  } catch {
    throw new BadRequest(
      'This is not a complete SNS message. Switch off "raw message delivery" in the subscription, and try again.',
    )
  }
}

/**
 * Whether SNS has signed this message recently. The certificate is only fetched from SNS's own hosts, whatever the
 * message says.
 * @throws Refusal while the certificate cannot be fetched, so that SNS retries
 */
export async function isSignedBySns(context: Context, message: SnsMessage): Promise<boolean> {
  const age = Date.now() - Date.parse(message.Timestamp)
  if (!(Math.abs(age) < MAX_AGE_MS)) return false
  const address = ownAddress(context, message.SigningCertURL)
  if (!address?.pathname.endsWith('.pem')) return false
  const certificate = await fetchCertificate(context, address.href)
  if (!certificate || Date.parse(certificate.validTo) < Date.now()) return false
  return createVerify(message.SignatureVersion === '2' ? 'RSA-SHA256' : 'RSA-SHA1')
    .update(signedText(message))
    .verify(certificate.publicKey, message.Signature, 'base64')
}

/**
 * Confirms a subscription. The message was verified.
 * @throws Refusal if that fails, so that SNS asks again
 */
export async function confirmSubscription(
  context: Context,
  { SubscribeURL = '', TopicArn }: SnsMessage,
): Promise<void> {
  const address = ownAddress(context, SubscribeURL)
  if (!address) throw new BadRequest('The confirmation URL does not belong to SNS.')
  const { ok, status } = await fetchFromSns(context, address.href)
  if (!ok) throw new Refusal(503, `SNS did not accept the confirmation (status ${status}).`)
  context.log.info({ topic: TopicArn }, 'An SNS topic was confirmed and delivers mails from now on')
}

/** An address of SNS itself: a message must not make us call any other. */
function ownAddress({ config }: Context, text: string): URL | undefined {
  const address = URL.parse(text)
  if (!address) return undefined
  if (config.snsUrl) return address.origin === new URL(config.snsUrl).origin ? address : undefined
  const isOwn = address.protocol === 'https:' && address.port === '' && OWN_HOST.test(address.hostname)
  return isOwn && !address.username ? address : undefined
}

const certificatesOf = perServer(() => new Map<string, X509Certificate>())

async function fetchCertificate(context: Context, address: string): Promise<X509Certificate | undefined> {
  const certificates = certificatesOf(context)
  const cached = certificates.get(address)
  if (cached) return cached
  const { ok, status, bytes } = await fetchFromSns(context, address)
  if (status >= 500) throw new Refusal(503, `The certificate of SNS could not be fetched (status ${status}).`)
  const certificate = ok ? readCertificate(bytes) : undefined
  if (!certificate) return undefined
  if (certificates.size >= MAX_CERTIFICATES) certificates.clear()
  certificates.set(address, certificate)
  return certificate
}

function readCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes)
  } catch {
    return undefined
  }
}

async function fetchFromSns({ outbound, config }: Context, address: string) {
  return outbound
    .request(address, { max_bytes: CERTIFICATE_BYTES, may_be_private: !!config.snsUrl })
    .catch((error: unknown) => {
      throw new Refusal(503, `SNS cannot be reached: ${(error as Error).message}`)
    })
}

/** The signed text: names and values on alternating lines, sorted by name. */
function signedText(message: SnsMessage): string {
  const names =
    message.Type === 'Notification'
      ? (['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const)
      : (['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const)
  return names.flatMap((name) => (message[name] ? [`${name}\n${message[name]}\n`] : [])).join('')
}
