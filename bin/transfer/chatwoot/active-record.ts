import { createDecipheriv, pbkdf2Sync } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import * as z from 'zod/mini'

/** Settings of Rails with which it encrypts columns, from the old server's environment. */
export interface EncryptionSettings {
  keys: string[]
  salt: string
}

const ROUNDS = 65_536
const KEY_BYTES = 32
/** The usual one depends on the version with which the old server began. The tag of the cipher tells which is right. */
const DIGESTS = ['sha1', 'sha256']

const Encrypted = z.object({
  p: z.string(),
  h: z.object({ iv: z.string(), at: z.string(), c: z.optional(z.boolean()) }),
})

/** Reads the settings; undefined if the environment lacks some. */
export function readEncryptionSettings(env: NodeJS.ProcessEnv): EncryptionSettings | undefined {
  const keys = [env.ACTIVE_RECORD_ENCRYPTION_DETERMINISTIC_KEY, env.ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY].flatMap(
    (key) => key || [],
  )
  const salt = env.ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT
  return keys.length > 0 && salt ? { keys, salt } : undefined
}

/** Makes a function that decrypts a column of Rails. It returns a text that is not encrypted as it is, and undefined if no key fits. */
export function createDecryption(settings: EncryptionSettings | undefined): (stored: string) => string | undefined {
  const derived = (settings?.keys ?? []).flatMap((key) =>
    DIGESTS.map((digest) => pbkdf2Sync(key, settings!.salt, ROUNDS, KEY_BYTES, digest)),
  )
  return (stored) => {
    if (!stored.startsWith('{')) return stored
    const encrypted = parse(stored)
    if (!encrypted) return undefined
    for (const key of derived) {
      const text = decrypt(key, encrypted)
      if (text !== undefined) return text
    }
    return undefined
  }
}

function parse(stored: string): z.output<typeof Encrypted> | undefined {
  try {
    return z.parse(Encrypted, JSON.parse(stored))
  } catch {
    return undefined
  }
}

function decrypt(key: Buffer, { p, h }: z.output<typeof Encrypted>): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(h.iv, 'base64'))
    decipher.setAuthTag(Buffer.from(h.at, 'base64'))
    const bytes = Buffer.concat([decipher.update(Buffer.from(p, 'base64')), decipher.final()])
    return (h.c ? inflateSync(bytes, { maxOutputLength: 100_000 }) : bytes).toString('utf8')
  } catch {
    return undefined
  }
}
