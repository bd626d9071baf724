import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
} from 'node:crypto'

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

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts a secret that must be read again, with the installation's key: what is stored opens nothing by itself. */
export function seal(secretKey: string, text: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, keyFrom(secretKey), iv)
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), bytes])
}

/** Reads what was sealed with the same key. Throws when the key is another or a byte was changed. */
export function unseal(secretKey: string, sealed: Buffer): string {
  const decipher = createDecipheriv(CIPHER, keyFrom(secretKey), sealed.subarray(0, IV_BYTES))
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

function keyFrom(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'parley sealed secrets', 32))
}
