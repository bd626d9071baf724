import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * A token that names something without storing anything: its parts, such as ids, with a signature for one purpose. The
 * parts contain neither dots nor blanks.
 */
export function signToken(secretKey: string, purpose: string, parts: string[]): string {
  return Buffer.from([...parts, sign(secretKey, purpose, parts)].join('.')).toString('base64url')
}

/** The parts of a token that was signed for this purpose; undefined for any other text. */
export function readSignedToken(secretKey: string, purpose: string, token: string): string[] | undefined {
  const parts = Buffer.from(token, 'base64url').toString().split('.')
  const received = Buffer.from(parts.pop() ?? '')
  const expected = Buffer.from(sign(secretKey, purpose, parts))
  return received.length === expected.length && timingSafeEqual(received, expected) ? parts : undefined
}

function sign(secretKey: string, purpose: string, parts: string[]): string {
  return createHmac('sha256', secretKey)
    .update([purpose, ...parts].join(' '))
    .digest('base64url')
}
