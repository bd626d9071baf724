import * as z from 'zod/mini'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { contextIn, type EncryptedColumn } from '../../../platform/crypto/encrypted-columns.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'

export const pushKeysColumn: EncryptedColumn = {
  table: 'push_keys',
  column: 'keys',
  row: 'is_only',
  isOfInstallation: true,
}

/** The key pair with which push services recognize this installation (VAPID, RFC 8292), in base64url. */
const KeyPair = z.object({ publicKey: z.string(), privateKey: z.string() })
export type KeyPair = z.output<typeof KeyPair>

/**
 * The keys of this installation, made if there are none yet: on the first start, or after an import from a version
 * without push. Read each time, because another server or a restored backup may have brought others.
 */
export async function loadPushKeys({ db, keys }: Pick<Context, 'db' | 'keys'>): Promise<KeyPair> {
  const context = contextIn(pushKeysColumn, null, 'true')
  const select = acrossAccounts(db, 'the keys of the installation').selectFrom('push_keys').select('keys')
  const existing = await select.executeTakeFirst()
  if (existing) return readKeyPair(keys.decrypt(context, existing.keys))
  const made = keys.encrypt(context, JSON.stringify(await makeKeyPair()))
  await db
    .insertInto('push_keys')
    .values({ keys: made })
    .onConflict((conflict) => conflict.column('is_only').doNothing())
    .execute()
  // Those of another server that started at the same time, if it was faster.
  const stored = await select.executeTakeFirstOrThrow()
  return readKeyPair(keys.decrypt(context, stored.keys))
}

function readKeyPair(json: string): KeyPair {
  return z.parse(KeyPair, JSON.parse(json))
}

async function makeKeyPair(): Promise<KeyPair> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const raw = await crypto.subtle.exportKey('raw', pair.publicKey)
  const { d } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  return { publicKey: Buffer.from(raw).toString('base64url'), privateKey: d! }
}

const NO_SENDER =
  'Push services want to know whom to write to. Set MAIL_FROM to an e-mail address of this installation, such as support@example.com, and restart it.'

/** Apple refuses senders in domains that do not exist outside. */
const PUBLIC_ADDRESS = /^[^\s<>@]+@([a-z0-9-]+\.)+(?!(?:local|localhost|localdomain|internal|lan)$)[a-z0-9-]+$/i

/** Whom push services can write to if this installation troubles them, or a sentence for its operator if nobody. */
export function readPushSender({ mailFrom }: Pick<Config, 'mailFrom'>): { subject: string } | { problem: string } {
  const address = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom
  return PUBLIC_ADDRESS.test(address.trim()) ? { subject: `mailto:${address.trim()}` } : { problem: NO_SENDER }
}
