/** A webhook that was not sent by Parley, was changed on its way, or is old. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
}

/** Headers as a request of the platform, of Node or of a framework has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/** What a webhook tells. */
export interface Webhook {
  event: string
  payload: unknown
}

/** Older and newer ones are refused, so that nobody sends again what they overheard. */
const TOLERATED_SECONDS = 300

/**
 * What a webhook tells, once it is certain that Parley sent it. `body` is the text as it came, before it is parsed. The
 * signature is that of Standard Webhooks.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string,
): Promise<Webhook> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    read(headers, name),
  )
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('The request bears no signature.')
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERATED_SECONDS)) {
    throw new WebhookVerificationError('The request is older or newer than five minutes.')
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const key = await importKey(secret)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',')
    const bytes = version === 'v1' ? decode(value) : undefined
    // Compares in the same time, whatever differs.
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return JSON.parse(text)
  }
  throw new WebhookVerificationError('The signature does not fit the request and the secret.')
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = decode(secret.replace(/^whsec_/, ''))
  if (!bytes) throw new WebhookVerificationError('The secret is none: it begins with whsec_.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function read(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value[0] : value
}
