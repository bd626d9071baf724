import { accessChanged } from '#contract/customers/customers.ts'
import type { IdentitySecret, NewIdentitySecret, SignedIdentity } from '#contract/customers/signed-identity.ts'
import { NotFound, Unacceptable } from '../../../errors.ts'
import { contextIn, type EncryptedColumn } from '../../../platform/crypto/encrypted-columns.ts'
import { decryptIfPossible, type Keyring } from '../../../platform/crypto/keyring.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId, newToken } from '../../../platform/secrets.ts'

export const identitySecrets: EncryptedColumn = { table: 'identity_secrets', column: 'sealed', row: 'id' }

const columns = ['id', 'hint', 'created_at', 'retires_at'] as const
const PREFIX = 'pis_'
const HOUR_MS = 3_600_000

/** Whether an inbox requires signed identity, and its valid secrets. */
export async function getSignedIdentity(db: Db, account_id: string, inbox_id: string): Promise<SignedIdentity> {
  const inbox = await ofAccount(db, account_id)
    .selectFrom('inboxes')
    .select('requires_signed_identity')
    .where('id', '=', inbox_id)
    .executeTakeFirst()
  if (!inbox) throw new NotFound()
  const rows = await selectValid(db, account_id).where('inbox_id', '=', inbox_id).select(columns).execute()
  return { inbox_id, is_required: inbox.requires_signed_identity, secrets: rows.map(presentIdentitySecret) }
}

/**
 * Creates a secret for an inbox. Earlier ones stay valid for this many hours, in which the website can switch to the
 * new one. Only this response contains the secret itself.
 */
export async function createSecret(
  { db }: Change,
  keys: Keyring,
  { account_id, inbox_id }: { account_id: string; inbox_id: string },
  overlap_hours: number,
): Promise<NewIdentitySecret> {
  await lockInbox(db, account_id, inbox_id)
  const now = Date.now()
  await ofAccount(db, account_id).deleteFrom('identity_secrets').where('retires_at', '<=', iso(now)).execute()
  await ofAccount(db, account_id)
    .updateTable('identity_secrets')
    .set({ retires_at: iso(now + overlap_hours * HOUR_MS) })
    .where('inbox_id', '=', inbox_id)
    .where('retires_at', 'is', null)
    .execute()
  const secret = newToken(PREFIX)
  const id = newId()
  const sealed = keys.encrypt(contextIn(identitySecrets, account_id, id), secret)
  const row = await db
    .insertInto('identity_secrets')
    .values({ account_id, id, inbox_id, sealed, hint: secret.slice(-4) })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return { ...presentIdentitySecret(row), secret }
}

/** Invalidates a secret at once, for when it was leaked. */
export async function removeSecret({ db }: Change, account_id: string, inbox_id: string, id: string): Promise<void> {
  const { requires_signed_identity } = await lockInbox(db, account_id, inbox_id)
  const valid = await selectValid(db, account_id).where('inbox_id', '=', inbox_id).select('id').execute()
  if (!valid.some((secret) => secret.id === id)) throw new NotFound()
  if (requires_signed_identity && valid.length === 1) {
    throw new Unacceptable('This inbox requires signed identity. Create another secret first, or stop requiring it.')
  }
  await ofAccount(db, account_id).deleteFrom('identity_secrets').where('id', '=', id).execute()
}

/** Turns the requirement of signed identity for an inbox's visitors on or off. */
export async function requireSignature(
  { db, announce }: Change,
  account_id: string,
  inbox_id: string,
  is_required: boolean,
): Promise<SignedIdentity> {
  await lockInbox(db, account_id, inbox_id)
  const current = await getSignedIdentity(db, account_id, inbox_id)
  if (is_required && current.secrets.length === 0) {
    throw new Unacceptable('Create a secret first: without one nobody can prove their identity.')
  }
  // Writes inboxes, too: this column belongs to signed identity.
  await ofAccount(db, account_id)
    .updateTable('inboxes')
    .set({ requires_signed_identity: is_required, updated_at: iso(Date.now()) })
    .where('id', '=', inbox_id)
    .execute()
  // Clients admitted by an id alone may have to leave.
  if (is_required) announce(account_id, accessChanged, { customer_id: null })
  return { ...current, is_required }
}

/** The secrets accepted by an inbox, by default the primary one. */
export async function openSecrets(
  db: Db,
  keys: Keyring,
  account_id: string,
  inbox_id: string | null | undefined,
): Promise<string[]> {
  const rows = await selectValid(db, account_id)
    .where(({ selectFrom, eb }) =>
      inbox_id
        ? eb('inbox_id', '=', inbox_id)
        : eb(
            'inbox_id',
            'in',
            selectFrom('inboxes').select('id').where('account_id', '=', account_id).where('is_primary', '=', true),
          ),
    )
    .select(['id', 'sealed'])
    .execute()
  // An undecryptable secret is skipped; the website has to sign with a new one.
  return rows.flatMap(
    ({ id, sealed }) => decryptIfPossible(keys, contextIn(identitySecrets, account_id, id), sealed) ?? [],
  )
}

function selectValid(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('identity_secrets')
    .where((eb) => eb.or([eb('retires_at', 'is', null), eb('retires_at', '>', iso(Date.now()))]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
}

async function lockInbox(db: Change['db'], account_id: string, id: string) {
  const inbox = await ofAccount(db, account_id)
    .selectFrom('inboxes')
    .select('requires_signed_identity')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!inbox) throw new NotFound()
  return inbox
}

function presentIdentitySecret(row: Omit<IdentitySecret, 'object'>): IdentitySecret {
  return { ...row, object: 'identity_secret' }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
