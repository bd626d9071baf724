import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// Time-based one-time passwords, RFC 6238 with what every authenticator app assumes: SHA-1, six digits, thirty seconds.

const STEP_SECONDS = 30
const DIGITS = 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 160 random bits in base32. */
export function newTotpSecret(): string {
  return [...randomBytes(32)].map((byte) => ALPHABET[byte % 32]).join('')
}

/** What an authenticator app reads from a QR code. */
export function totpUri(secret: string, email: string): string {
  return `otpauth://totp/Parley:${encodeURIComponent(email)}?secret=${secret}&issuer=Parley`
}

/** The time step a code belongs to, of now, the one before or the one after; undefined when the code is wrong. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const given = Buffer.from(code.replace(/\s/g, ''))
  const current = Math.floor(now / 1000 / STEP_SECONDS)
  return [current, current - 1, current + 1].find((step) => {
    const right = Buffer.from(codeAt(secret, step))
    return given.length === right.length && timingSafeEqual(given, right)
  })
}

/** The code of a time step. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = digest.at(-1)! & 15
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((sign) => ALPHABET.indexOf(sign).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
