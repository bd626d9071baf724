import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'

/** A secret nobody can guess: a prefix that tells its kind, then 32 random bytes in base64url. */
export function newToken(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`
}

/** A token that is always the same for the same secrets, and that only who has the installation's key can make. */
export function deriveToken(prefix: string, secretKey: string, ...secrets: string[]): string {
  return `${prefix}${createHmac('sha256', secretKey).update(JSON.stringify(secrets)).digest('base64url')}`
}

/** What is stored of a token. Tokens are random, so a fast hash is enough; passwords are not, and get a slow one. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** UUID version 4: the published widgets refuse anything newer. */
export function newId(): string {
  return randomUUID()
}

/** An id that is always the same for the same text, for things that must come into being once however often they are tried. */
export function deriveId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
