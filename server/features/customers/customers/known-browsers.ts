import { createHash, createHmac } from 'node:crypto'
import type { CustomerClaims } from '#contract/customers/customers.ts'
import { contextIn } from '../../../platform/crypto/encrypted-columns.ts'
import { decryptIfPossible, type Keyring } from '../../../platform/crypto/keyring.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { importSecrets } from '../../accounts/accounts/import-secrets.ts'

/** Under this name the key is among the secrets of imports. */
export const BROWSER_KEY = 'chatwoot browsers'

/** The block of SHA-256: longer keys of HMAC are hashed before anything else happens to them. */
const BLOCK_BYTES = 64

/**
 * The key that verifies tokens of Chatwoot's chat. Of a long secret, as Rails makes them, the hash verifies just as well,
 * and does not open what else the secret protects on the old server.
 */
export function verificationKey(secret: string): Buffer {
  const bytes = Buffer.from(secret)
  return bytes.length > BLOCK_BYTES ? createHash('sha256').update(bytes).digest() : bytes
}

/** The secret of the visitor session that an import prepares for a browser, by the inbox's old number and the browser's name there. */
export function preparedToken(key: Buffer, inbox: string | number, source_id: string): string {
  return createHmac('sha256', key).update(`prepared session ${inbox} ${source_id}`).digest('base64url')
}

/**
 * Reads a token that the chat of the old server left in a browser.
 * @returns the secret of the session that was prepared for this browser; undefined if it is no such token, or was not
 * signed by the server that this account was moved from
 */
export async function readOldToken(
  db: Db,
  keys: Keyring,
  account_id: string,
  token: string,
): Promise<string | undefined> {
  const { decodeJwt, jwtVerify } = await import('jose')
  try {
    const { inbox_id, source_id } = decodeJwt(token)
    if (typeof inbox_id !== 'number' || typeof source_id !== 'string') return undefined
    const key = await openKey(db, keys, account_id)
    if (!key) return undefined
    await jwtVerify(token, key, { algorithms: ['HS256'] })
    return preparedToken(key, inbox_id, source_id)
  } catch {
    // Forged or expired: whoever verifies signed identities says why it is refused.
    return undefined
  }
}

async function openKey(db: Db, keys: Keyring, account_id: string): Promise<Buffer | undefined> {
  const row = await ofAccount(db, account_id)
    .selectFrom('import_secrets')
    .select('secret')
    .where('product', '=', BROWSER_KEY)
    .executeTakeFirst()
  const stored = row && decryptIfPossible(keys, contextIn(importSecrets, account_id, BROWSER_KEY), row.secret)
  return stored === undefined ? undefined : Buffer.from(stored, 'base64')
}

/**
 * Takes over the session that was prepared for a browser: its customer is that of the browser's new session. It ends by
 * that, so that the old token opens nothing once the visitor has signed out.
 * @returns the customer; undefined if it was taken over before, or the browser is somebody else's now
 */
export async function takeOverPrepared(
  { db }: Change,
  account_id: string,
  prepared: string,
  { external_id }: CustomerClaims,
): Promise<string | undefined> {
  const session = await ofAccount(db, account_id)
    .updateTable('visitor_sessions')
    .set({ revoked_at: new Date().toISOString() })
    .where('token_hash', '=', hashToken(prepared))
    .where('revoked_at', 'is', null)
    .returning('customer_id')
    .executeTakeFirst()
  if (!session) return undefined
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('external_id')
    .where('id', '=', session.customer_id)
    .executeTakeFirst()
  // A shared computer: the website says that another person uses it today.
  const isSomebodyElse = !!external_id && !!customer?.external_id && customer.external_id !== external_id
  return isSomebodyElse ? undefined : session.customer_id
}
