import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** A secret nobody can guess: a prefix that tells its kind, then 32 random bytes in base64url. */
export function newToken(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`
}

/** What is stored of a token. Tokens are random, so a fast hash is enough; passwords are not, and get a slow one. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** UUID version 4: the published widgets refuse anything newer. */
export function newId(): string {
  return randomUUID()
}
