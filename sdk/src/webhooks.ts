/** A webhook that was not sent by Parley, was modified, or is too old. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
}

/** Headers as in `fetch`, Node or a web framework. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export interface Webhook {
  event: string
  payload: unknown
}

/** Webhooks older or newer than this are refused, to prevent replay attacks. */
const TOLERATED_SECONDS = 300

/**
 * Verifies a webhook and returns its content. `body` is the raw text, before it is parsed. The signature follows
 * Standard Webhooks.
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
    // Compares in constant time.
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
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value[0] : value
}
