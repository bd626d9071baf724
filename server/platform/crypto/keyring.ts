import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * The purpose and place of an encrypted value. The purpose selects the key; purpose, account and row are authenticated,
 * so a value copied to another place cannot be decrypted there.
 */
export interface EncryptionContext {
  /** Such as `two_factors.secret`. */
  purpose: string
  account_id?: string
  row?: string
}

/** Encryption at rest with keys derived from SECRET_KEY. */
export interface Keyring {
  /** Identifies the current key without revealing it: 16 hexadecimal digits. */
  id: string
  /** The id of the previous key, which is still accepted for reading. */
  previousId: string | undefined
  encrypt(context: EncryptionContext, text: string): Buffer
  /** Throws `CannotDecrypt` when the key is unknown, the context is another, or a byte was changed. */
  decrypt(context: EncryptionContext, encrypted: Buffer): string
  /** False for values of a previous key or of the first format, which should be re-encrypted. */
  isCurrent(encrypted: Buffer): boolean
}

/** The text, or undefined if it cannot be decrypted, for example because a copy of a database runs with another key. */
export function decryptIfPossible(keys: Keyring, context: EncryptionContext, encrypted: Buffer): string | undefined {
  try {
    return keys.decrypt(context, encrypted)
  } catch (error) {
    if (error instanceof CannotDecrypt) return undefined
    throw error
  }
}

/** The value was encrypted with another SECRET_KEY, belongs elsewhere, or is damaged. */
export class CannotDecrypt extends Error {}

const CIPHER = 'aes-256-gcm'
/** Prefix of every value, followed by the id of its key. Values of the first format begin with random bytes instead. */
const FORMAT = Buffer.from('PKR1')
const ID_BYTES = 8
const IV_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = FORMAT.length + ID_BYTES

/**
 * The keys of an installation: one for encrypting, and possibly an older one for decrypting until everything is
 * re-encrypted.
 */
export function createKeyring(secretKey: string, previousKey?: string): Keyring {
  const secrets = new Map([previousKey ?? secretKey, secretKey].map((secret) => [keyId(secret), secret]))
  const id = keyId(secretKey)
  const header = Buffer.concat([FORMAT, Buffer.from(id, 'hex')])

  function decryptFirstFormat(encrypted: Buffer): string {
    for (const secret of secrets.values()) {
      try {
        return open(derive(secret, 'parley sealed secrets', 32), encrypted)
      } catch {
        // The next key may work.
      }
    }
    throw new CannotDecrypt()
  }

  return {
    id,
    previousId: previousKey && keyId(previousKey),
    encrypt(context, text) {
      const key = derive(secretKey, `parley encryption ${context.purpose}`, 32)
      return Buffer.concat([header, seal(key, text, authenticated(context))])
    },
    decrypt(context, encrypted) {
      if (!encrypted.subarray(0, FORMAT.length).equals(FORMAT)) return decryptFirstFormat(encrypted)
      const secret = secrets.get(encrypted.subarray(FORMAT.length, HEADER_BYTES).toString('hex'))
      if (!secret) throw new CannotDecrypt('This was encrypted with another SECRET_KEY.')
      try {
        const key = derive(secret, `parley encryption ${context.purpose}`, 32)
        return open(key, encrypted.subarray(HEADER_BYTES), authenticated(context))
      } catch (cause) {
        throw new CannotDecrypt('It belongs to another installation or is damaged.', { cause })
      }
    },
    isCurrent: (encrypted) => encrypted.subarray(0, HEADER_BYTES).equals(header),
  }
}

function seal(key: Buffer, text: string, context: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(context)
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), bytes])
}

function open(key: Buffer, sealed: Buffer, context?: Buffer): string {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES))
  if (context) decipher.setAAD(context)
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

function authenticated({ purpose, account_id = '', row = '' }: EncryptionContext): Buffer {
  return Buffer.from(JSON.stringify([purpose, account_id, row]))
}

function keyId(secretKey: string): string {
  return derive(secretKey, 'parley key id', ID_BYTES).toString('hex')
}

function derive(secretKey: string, info: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', info, bytes))
}
