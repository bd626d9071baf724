import { randomBytes } from 'node:crypto'
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

/** Whether a password is right. Takes equally long without such a user, so that timing reveals nothing. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const right = await verify(stored ?? (await nobodysHash), password)
  return right && stored !== undefined
}
