import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's minimum for argon2id on a small machine: 19 MiB, two passes. About 30 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST)
}

/** The hash of a random password, for users who have to set one by the reset mail. */
export function unknownPassword(): Promise<string> {
  return hashPassword(randomBytes(32).toString('base64url'))
}

const nobodysHash = hashPassword('nobody has this password')

/** A hash of Papercups: `$pbkdf2-sha512$<rounds>$<salt>$<key>`, both in Base64. */
const PAPERCUPS = /^\$pbkdf2-(sha512|sha256)\$(\d{1,7})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/

/** A hash of Chatwoot: bcrypt, with at most 2^16 rounds, because anybody could write larger ones into a database. */
const BCRYPT = /^\$2[abxy]\$(0\d|1[0-6])\$[./A-Za-z0-9]{53}$/
/** bcrypt reads no more of a password. */
const BCRYPT_BYTES = 72

/** Whether a hash is not ours but came with an import: the first right password replaces it. */
export function isForeignHash(stored: string): boolean {
  return PAPERCUPS.test(stored) || BCRYPT.test(stored)
}

/** Whether a password is right. Takes equally long without such a user, so that timing reveals nothing. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const foreign = stored === undefined ? null : PAPERCUPS.exec(stored)
  if (foreign) return isForeignPassword(foreign, password)
  if (stored && BCRYPT.test(stored)) {
    // Needed only until the people of an import have signed in once.
    const bcrypt = await import('@node-rs/bcrypt')
    return bcrypt.verify(Buffer.from(password).subarray(0, BCRYPT_BYTES), stored)
  }
  const isCorrect = await verify(stored ?? (await nobodysHash), password)
  return isCorrect && stored !== undefined
}

const derive = promisify(pbkdf2)

async function isForeignPassword([, digest, rounds, salt, key]: RegExpExecArray, password: string): Promise<boolean> {
  const expected = Buffer.from(key!, 'base64')
  if (expected.length === 0) return false
  const derived = await derive(password, Buffer.from(salt!, 'base64'), Number(rounds), expected.length, digest!)
  return timingSafeEqual(derived, expected)
}
