import type { Context } from '../../../context.ts'
import { messageOf } from '../../../errors.ts'
import { signedHeaders } from './webhook-secrets.ts'

export const USER_AGENT = 'Parley-Webhooks/1'
const TIMEOUT_MS = 10_000
/** Bytes stored of a response. */
const KEPT_BYTES = 1_000

/** The outcome of one attempt. */
export interface WebhookResult {
  ok: boolean
  at: string
  duration_ms: number
  status: number | null
  error: string | null
  answer: string | null
}

/** Sends a body to an address entered by a user: signed, once, without following redirects. Never throws. */
export async function sendWebhook(
  { outbound }: Pick<Context, 'outbound'>,
  { id, url, body, secrets }: { id: string; url: string; body: string; secrets: string[] },
): Promise<WebhookResult> {
  const at = new Date().toISOString()
  const started = performance.now()
  const tried = (more: Pick<WebhookResult, 'ok' | 'status' | 'error' | 'answer'>): WebhookResult => ({
    ...more,
    at,
    duration_ms: Math.round(performance.now() - started),
  })
  try {
    const { status, ok, bytes } = await outbound.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signedHeaders(id, body, secrets) },
      body,
      timeout_ms: TIMEOUT_MS,
      max_bytes: KEPT_BYTES,
      cut_off: true,
    })
    // The database cannot store NUL characters.
    return tried({ ok, status, error: null, answer: bytes.toString().replaceAll('\u0000', '') })
  } catch (error) {
    return tried({ ok: false, status: null, error: messageOf(error), answer: null })
  }
}
