import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { USER_AGENT } from './send-webhook.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const LENGTH = 64

/**
 * Whether whoever answers at an address wants to be told: it gives back the text that it is sent, alone or as `challenge`.
 * An address without a path is none that the predecessor took.
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
    // Whatever went wrong, it did not prove anything.
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
