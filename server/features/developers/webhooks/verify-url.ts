import { randomBytes } from 'node:crypto'
import type { UrlProblem } from '#contract/developers/webhooks.ts'
import type { Context } from '../../../context.ts'
import { AddressRefused } from '../../../platform/outbound/guard.ts'
import type { OutboundResponse } from '../../../platform/outbound/outbound.ts'
import { USER_AGENT } from './send-webhook.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const LENGTH = 64

/** Whether a URL is verified; otherwise what is wrong, with the status that it answered. */
export interface Verification {
  verified: boolean
  problem?: UrlProblem
  status?: number
}

/**
 * Whether the receiver at an address wants events: it echoes the text it is sent, alone or as `challenge`.
 * As in Papercups, an address without path is refused.
 */
export async function verifyUrl({ outbound }: Context, address: string): Promise<Verification> {
  const url = URL.parse(address.trim())
  if (!url || !/^https?:$/.test(url.protocol)) return { verified: false, problem: 'not_a_url' }
  if (!/^[a-z]+:\/\/[^/?#]+\//i.test(address.trim())) return { verified: false, problem: 'no_path' }
  const payload = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  const body = JSON.stringify({ event: 'webhook:verify', payload })
  const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT }
  try {
    const answer = await outbound.request(url.href, { method: 'POST', headers, body, max_bytes: 10_000 })
    return judge(answer, payload)
  } catch (error) {
    // Any failure means that nothing was proven.
    return { verified: false, problem: error instanceof AddressRefused ? 'private_address' : 'unreachable' }
  }
}

function judge({ ok, status, bytes }: OutboundResponse, payload: string): Verification {
  if (!ok) return { verified: false, problem: 'status', status }
  return holds(bytes.toString(), payload) ? { verified: true } : { verified: false, problem: 'no_challenge' }
}

function holds(text: string, payload: string): boolean {
  if (text.trim() === payload) return true
  try {
    const parsed = JSON.parse(text)
    return parsed === payload || parsed?.challenge === payload
  } catch {
    return false
  }
}
