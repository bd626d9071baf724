import { createHmac, randomBytes } from 'node:crypto'
import { importSecrets } from '#server/features/accounts/accounts/import-secrets.ts'
import { contextIn } from '#server/platform/crypto/encrypted-columns.ts'
import { decryptIfPossible } from '#server/platform/crypto/keyring.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import type { Step } from '../moving-in/reader.ts'

const PRODUCT = 'chatwoot'
/** The block of SHA-256, to which HMAC fills its key. */
const BLOCK_BYTES = 64

/** The two keys of HMAC-SHA-256, in hexadecimal digits. */
export interface IdKeys {
  inner: string
  outer: string
  /** The secret of the import, to be stored. */
  secret: string
}

/**
 * The keys from which all ids are derived: the secret of an earlier run, otherwise a new one; together with what tells
 * this database of Chatwoot from another one, because all of them count from 1.
 * @throws OperatorError if there is a secret that cannot be read
 */
export async function prepareIds({ client, keys }: Step): Promise<IdKeys> {
  const { rows } = await client.query<{ account_id: string; secret: Buffer }>(
    'select account_id, secret from import_secrets where product = $1 limit 1',
    [PRODUCT],
  )
  const [stored] = rows
  const context = stored && contextIn(importSecrets, stored.account_id, PRODUCT)
  const secret = stored ? decryptIfPossible(keys, context!, stored.secret) : randomBytes(32).toString('hex')
  if (secret === undefined) {
    throw new OperatorError(
      'The secret of the first import cannot be decrypted, so a second one would not find what the first one moved. Set the SECRET_KEY with which the first one ran.',
    )
  }
  const { rows: source } = await client.query<{ name: string | null }>(
    `select coalesce(min(value) filter (where key = 'address'), min(created_at) filter (where key = 'environment')::text) as name
     from old_ar_internal_metadata`,
  )
  const key = createHmac('sha256', secret).update(`${PRODUCT} ${source[0]!.name}`).digest()
  const padded = Buffer.concat([key, Buffer.alloc(BLOCK_BYTES - key.length)])
  const mixed = (byte: number) => Buffer.from(padded.map((keyByte) => keyByte ^ byte)).toString('hex')
  return { inner: mixed(0x36), outer: mixed(0x5c), secret }
}

/** Keeps the secret for the next run, encrypted, with each company that was moved. */
export async function keepSecret({ client, keys }: Step, secret: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select id from accounts where id in (select account_id from moved_accounts)',
  )
  for (const { id } of rows) {
    await client.query(
      'insert into import_secrets (account_id, product, secret) values ($1, $2, $3) on conflict do nothing',
      [id, PRODUCT, keys.encrypt(contextIn(importSecrets, id, PRODUCT), secret)],
    )
  }
}
