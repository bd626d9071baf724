import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { USER_AGENT } from './send-webhook.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const LENGTH = 64

/**
 * Whether the receiver at an address wants events: it echoes the text it is sent, alone or as `challenge`.
 * As in the predecessor, an address without path is refused.
 */
export async function verifyUrl({ outbound }: Context, address: string): Promise<boolean> {
  const url = URL.parse(address.trim())
  if (!url || !/^https?:$/.test(url.protocol) || !/^[a-z]+:\/\/[^/?#]+\//i.test(address.trim())) return false
  const payload = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  const body = JSON.stringify({ event: 'webhook:verify', payload })
  const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT }
  try {
    const answer = await outbound.request(url.href, { method: 'POST', headers, body, max_bytes: 10_000 })
    return answer.ok && holds(answer.bytes.toString(), payload)
  } catch {
    // Any failure means that nothing was proven.
    return false
  }
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
