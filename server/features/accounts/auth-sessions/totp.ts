import { Secret, TOTP } from 'otpauth'

// Time-based one-time passwords, RFC 6238, with the usual parameters of authenticator apps: SHA-1, six digits, thirty
// seconds.

const STEP_MS = 30_000

/** 160 random bits in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, email: string): string {
  return `otpauth://totp/Parley:${encodeURIComponent(email)}?secret=${secret}&issuer=Parley`
}

/** The time step of a code: the current, previous or next one; undefined if the code is wrong. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const token = code.replace(/\s/g, '')
  const delta = new TOTP({ secret }).validate({ token, timestamp: now, window: 1 })
  return delta === null ? undefined : Math.floor(now / STEP_MS) + delta
}

/** The code of a time step. */
export function codeAt(secret: string, step: number): string {
  return new TOTP({ secret }).generate({ timestamp: step * STEP_MS })
}
