import { createHmac, randomBytes } from 'node:crypto'
import { contextIn, type EncryptedColumn } from '../../../platform/crypto/encrypted-columns.ts'
import { decryptIfPossible, type Keyring } from '../../../platform/crypto/keyring.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'

export const webhookSecrets: EncryptedColumn = { table: 'webhook_secrets', column: 'secret', row: 'id' }

/** Prefix of Standard Webhooks secrets, before the base64. */
const PREFIX = 'whsec_'
const BYTES = 24
/** How long the previous secret is still used for signing. */
const OVERLAP_MS = 86_400_000

interface Owner {
  account_id: string
  subscription_id: string
}

/** Creates a secret. The previous one is still used for signing for a day. */
export async function makeSecret(
  { db }: Change,
  keys: Keyring,
  { account_id, subscription_id }: Owner,
): Promise<string> {
  await ofAccount(db, account_id)
    .updateTable('webhook_secrets')
    .set({ retires_at: new Date(Date.now() + OVERLAP_MS).toISOString() })
    .where('subscription_id', '=', subscription_id)
    .where('retires_at', 'is', null)
    .execute()
  const secret = `${PREFIX}${randomBytes(BYTES).toString('base64')}`
  const id = newId()
  const encrypted = keys.encrypt(contextIn(webhookSecrets, account_id, id), secret)
  await db.insertInto('webhook_secrets').values({ account_id, id, subscription_id, secret: encrypted }).execute()
  return secret
}

/** The valid secrets, newest first. Undecryptable ones are left out. */
export async function readSecrets(db: Db, keys: Keyring, { account_id, subscription_id }: Owner): Promise<string[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('webhook_secrets')
    .select(['id', 'secret'])
    .where('subscription_id', '=', subscription_id)
    .where((row) => row.or([row('retires_at', 'is', null), row('retires_at', '>', new Date().toISOString())]))
    .orderBy('created_at', 'desc')
    .execute()
  return rows.flatMap(
    ({ id, secret }) => decryptIfPossible(keys, contextIn(webhookSecrets, account_id, id), secret) ?? [],
  )
}

/** The headers of Standard Webhooks, with a signature for each secret. */
export function signedHeaders(id: string, body: string, secrets: string[], now = Date.now()): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
