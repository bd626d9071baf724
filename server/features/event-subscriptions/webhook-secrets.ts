import { createHmac, randomBytes } from 'node:crypto'
import { contextIn, type EncryptedColumn } from '../../platform/crypto/encrypted-columns.ts'
import { decryptIfPossible, type Keyring } from '../../platform/crypto/keyring.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'

export const webhookSecrets: EncryptedColumn = { table: 'webhook_secrets', column: 'secret', row: 'id' }

/** As Standard Webhooks writes secrets: this, then base64. */
const PREFIX = 'whsec_'
const BYTES = 24
/** How long an old secret signs along after a new one was made. */
const OVERLAP_MS = 86_400_000

interface Owner {
  account_id: string
  subscription_id: string
}

/** Makes a secret. The one before it signs along for a day. */
export async function makeSecret(
  { db }: Change,
  keys: Keyring,
  { account_id, subscription_id }: Owner,
): Promise<string> {
  await db
    .updateTable('webhook_secrets')
    .set({ retires_at: new Date(Date.now() + OVERLAP_MS).toISOString() })
    .where('account_id', '=', account_id)
    .where('subscription_id', '=', subscription_id)
    .where('retires_at', 'is', null)
    .execute()
  const secret = `${PREFIX}${randomBytes(BYTES).toString('base64')}`
  const id = newId()
  const encrypted = keys.encrypt(contextIn(webhookSecrets, account_id, id), secret)
  await db.insertInto('webhook_secrets').values({ account_id, id, subscription_id, secret: encrypted }).execute()
  return secret
}

/** The secrets that count now, the newest first. Those that this installation cannot decrypt are left out. */
export async function readSecrets(db: Db, keys: Keyring, { account_id, subscription_id }: Owner): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_secrets')
    .select(['id', 'secret'])
    .where('account_id', '=', account_id)
    .where('subscription_id', '=', subscription_id)
    .where((row) => row.or([row('retires_at', 'is', null), row('retires_at', '>', new Date().toISOString())]))
    .orderBy('created_at', 'desc')
    .execute()
  return rows.flatMap(
    ({ id, secret }) => decryptIfPossible(keys, contextIn(webhookSecrets, account_id, id), secret) ?? [],
  )
}

/** The headers of Standard Webhooks, with a signature by each secret. */
export function signedHeaders(id: string, body: string, secrets: string[], now = Date.now()): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
