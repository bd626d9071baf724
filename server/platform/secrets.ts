import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'

/** A random secret: a prefix for its kind, then 32 random bytes in base64url. */
export function newToken(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`
}

/**
 * A token derived from secrets and the installation's key: always the same, and impossible to compute without that key.
 */
export function deriveToken(prefix: string, secretKey: string, ...secrets: string[]): string {
  return `${prefix}${createHmac('sha256', secretKey).update(JSON.stringify(secrets)).digest('base64url')}`
}

/** The stored form of a token. Tokens are random, so a fast hash suffices; passwords are not, and get a slow one. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** UUID version 4: the published widgets refuse anything newer. */
export function newId(): string {
  return randomUUID()
}

/** An id derived from a text, for objects that must be created only once however often that is tried. */
export function deriveId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
