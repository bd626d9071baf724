import { Invalid } from '../../../errors.ts'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import type { Db } from '../../../platform/db/change.ts'
import { openSecrets } from './secrets.ts'

/** The person that a website vouches for. */
export interface Proof {
  external_id: string
  email?: string
  name?: string
}

interface InboxKey {
  account_id: string
  inbox_id: string | null | undefined
}

/** Allowed difference between the clocks of two servers. */
const TOLERANCE_S = 30
const MAX_LENGTH = 300

/**
 * Verifies a token that a website's back end signed with a secret of the inbox.
 * @throws Invalid if it is forged or expired, or lacks a person or an expiry
 */
export async function verifyIdentity(db: Db, keys: Keyring, inbox: InboxKey, token: string): Promise<Proof> {
  for (const secret of await openSecrets(db, keys, inbox.account_id, inbox.inbox_id)) {
    const claims = await readClaims(token, secret)
    if (claims) return readProof(claims)
  }
  throw refusal('is invalid')
}

/** The claims, if signed with this secret; otherwise undefined. */
async function readClaims(token: string, secret: string) {
  const { errors, jwtVerify } = await import('jose')
  try {
    const options = { algorithms: ['HS256'], clockTolerance: TOLERANCE_S, requiredClaims: ['exp'] }
    return (await jwtVerify(token, Buffer.from(secret), options)).payload
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return undefined
    throw refusal(error instanceof errors.JWTExpired ? 'has expired' : 'is invalid')
  }
}

function readProof(claims: Record<string, unknown>): Proof {
  const external_id = text(claims.external_id ?? claims.sub)
  if (!external_id) throw refusal('names nobody: it needs `sub`')
  const [email, name] = [text(claims.email), text(claims.name)]
  return { external_id, ...(email && { email }), ...(name && { name }) }
}

function text(value: unknown): string | undefined {
  const trimmed = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return trimmed.includes('\u0000') || trimmed.length > MAX_LENGTH ? undefined : trimmed || undefined
}

function refusal(why: string) {
  return new Invalid({ identity_token: [why] })
}
