import { createHmac, timingSafeEqual } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const PROOF_BYTES = 6
const ID_BYTES = 16
/** 22 bytes in base32. */
const LENGTH = 36

/**
 * The local part of a customer's reply address: `reply+` and the conversation's id with a signature.
 * Independent of case, because mail servers change that.
 */
export function replyLocalPart(secretKey: string, conversation_id: string): string {
  const id = Buffer.from(conversation_id.replaceAll('-', ''), 'hex')
  return `reply+${toBase32(Buffer.concat([id, proofOf(secretKey, 'reply address', id)]))}`
}

/** The conversation of an address, if we signed it. */
export function readReplyAddress(secretKey: string, address: string): string | undefined {
  const [, code] = /(?:^|[+.])reply\+([a-z2-7]{36})@/i.exec(address) ?? []
  const bytes = code && fromBase32(code.toLowerCase())
  if (!bytes) return undefined
  const id = bytes.subarray(0, ID_BYTES)
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), proofOf(secretKey, 'reply address', id))) return undefined
  return asUuid(id.toString('hex'))
}

/** Marks a mail as sent by this installation, so that it is recognised if it comes back. */
export function loopMark(secretKey: string, message_id: string): string {
  return `${message_id} ${proofOf(secretKey, 'loop', Buffer.from(message_id)).toString('hex')}`
}

/** Whether a mark is ours. */
export function isOwnLoopMark(secretKey: string, mark: string): boolean {
  const [message_id = '', proof = ''] = mark.split(' ')
  const [actual, expected] = [Buffer.from(proof, 'hex'), proofOf(secretKey, 'loop', Buffer.from(message_id))]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function proofOf(secretKey: string, purpose: string, bytes: Buffer): Buffer {
  return createHmac('sha256', secretKey).update(`mail ${purpose} `).update(bytes).digest().subarray(0, PROOF_BYTES)
}

function asUuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** As in RFC 4648, in lower case and without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(code: string): Buffer | undefined {
  if (code.length !== LENGTH) return undefined
  const bits = [...code].map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0')).join('')
  // The last few bits are padding and zero in our addresses: a conversation has exactly one address.
  if (/1/.test(bits.slice((ID_BYTES + PROOF_BYTES) * 8))) return undefined
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.slice(0, ID_BYTES + PROOF_BYTES).map((byte) => Number.parseInt(byte, 2)))
}
