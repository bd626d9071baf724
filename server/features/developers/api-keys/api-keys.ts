import { sql } from 'kysely'
import type { ApiKey, NewApiKey } from '#contract/developers/api-keys.ts'
import { NotFound, Unacceptable } from '../../../errors.ts'
import type { SignedInUser, User } from '../../../platform/caller.ts'
import { contextIn, type EncryptedColumn } from '../../../platform/crypto/encrypted-columns.ts'
import { decryptIfPossible, type Keyring } from '../../../platform/crypto/keyring.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { findTogether } from '../../../platform/db/load-together.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { hashToken, newId, newToken } from '../../../platform/secrets.ts'

type Owner = Pick<User, 'account_id' | 'user_id'>

/** Prefix of every key, by which scanners for leaked secrets recognise it. */
export const API_KEY_PREFIX = 'parley_key_'

export const apiKeyValues: EncryptedColumn = { table: 'personal_api_keys', column: 'value', row: 'id' }

const columns = [
  'account_id',
  'id',
  'user_id',
  'label',
  'hint',
  'scope',
  'created_at',
  'last_used_at',
  'expires_at',
] as const

const HINT_LENGTH = 4
/** Precision of the time of last use: a write for each call would cost more than the call. */
const USE_RECORDED_MS = 600_000

/** The holder of a key with current role, or undefined if the key is unknown, deleted or expired. */
export async function findApiKey(db: Db, value: string) {
  const key = await findByValueHash(db, hashToken(value))
  if (!key || (key.expires_at && Date.parse(key.expires_at) <= Date.now())) return undefined
  const unusedMs = Date.now() - Date.parse(key.last_used_at ?? new Date(0).toISOString())
  if (unusedMs > USE_RECORDED_MS) await recordUse(db, key.account_id, key.id)
  return key
}

const findByValueHash = findTogether(
  (db, hashes: Buffer[]) =>
    acrossAccounts(db, 'who holds the secret is told whose it is')
      .selectFrom('personal_api_keys as k')
      .innerJoin('users as u', (join) =>
        join.onRef('u.account_id', '=', 'k.account_id').onRef('u.id', '=', 'k.user_id'),
      )
      .innerJoin('accounts as a', 'a.id', 'k.account_id')
      .select(['k.value_hash', 'k.account_id', 'k.id', 'k.user_id', 'k.scope', 'k.last_used_at', 'k.expires_at'])
      .select(['u.role', 'u.disabled_at', 'u.archived_at', 'a.suspended_at'])
      .where('value_hash', 'in', hashes)
      .$castTo<KeyHolder>()
      .execute(),
  ({ value_hash }) => value_hash,
)

interface KeyHolder extends Owner {
  value_hash: Buffer
  id: string
  role: User['role']
  scope: ApiKey['scope'] | 'function'
  last_used_at: string | null
  expires_at: string | null
  disabled_at: string | null
  archived_at: string | null
  suspended_at: string | null
}

async function recordUse(db: Db, account_id: string, id: string): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('personal_api_keys')
    .set({ last_used_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}

/** A user's own keys, newest first, with masked values. */
export async function listMaskedKeys(db: Db, owner: Owner): Promise<ApiKey[]> {
  const rows = await select(db, owner).orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.map(presentApiKey)
}

/**
 * The same list, in which a key that was made in this session within the last minute is shown once, because published
 * clients have no other place for it.
 */
export async function listKeysWithNew({ db }: Change, keys: Keyring, owner: SignedInUser): Promise<ApiKey[]> {
  const listed = await listMaskedKeys(db, owner)
  const fresh = await popNewValues(db, keys, owner)
  return listed.map((key) => ({ ...key, ...fresh.get(key.id) }))
}

async function popNewValues(db: Db, keys: Keyring, { account_id, session_id }: SignedInUser) {
  const rows = await ofAccount(db, account_id)
    .updateTable('personal_api_keys')
    .set({ new_in_session: null })
    .where('new_in_session', '=', session_id)
    .returning(['id', 'value'])
    .returning(sql<boolean>`created_at > now() - make_interval(secs => ${NEW_SECONDS})`.as('is_new'))
    .execute()
  return new Map(
    rows.flatMap(({ id, value: encrypted, is_new }) => {
      const value = is_new ? decryptIfPossible(keys, contextIn(apiKeyValues, account_id, id), encrypted) : undefined
      return value === undefined ? [] : [[id, { value }] as const]
    }),
  )
}

/** @throws NotFound, also for a key of somebody else */
export async function getApiKey(db: Db, owner: Owner, id: string): Promise<ApiKey> {
  const row = await select(db, owner).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentApiKey(row)
}

/** For how long the list shows a new key. */
const NEW_SECONDS = 60

/** Creates a key. The result includes its value. */
export async function createApiKey(
  { db }: Change,
  keys: Keyring,
  { account_id, user_id, session_id }: SignedInUser,
  { label, scope, expires_at }: NewApiKey,
): Promise<ApiKey> {
  const { value, stored } = makeValue(keys, account_id)
  const row = await db
    .insertInto('personal_api_keys')
    .values({
      ...stored,
      user_id,
      label,
      scope: scope ?? 'everything',
      expires_at: expires_at ?? null,
      new_in_session: session_id,
    })
    .returning(columns)
    .$castTo<KeyRow>()
    .executeTakeFirstOrThrow()
  return { ...presentApiKey(row), value }
}

function makeValue(keys: Keyring, account_id: string) {
  const value = newToken(API_KEY_PREFIX)
  return { value, stored: storedKey(keys, { account_id, id: newId() }, value) }
}

/** What a row keeps of a key's value: its hash to find it, itself encrypted, and its end to recognise it. */
export function storedKey(keys: Keyring, { account_id, id }: { account_id: string; id: string }, value: string) {
  const encrypted = keys.encrypt(contextIn(apiKeyValues, account_id, id), value)
  return { account_id, id, value_hash: hashToken(value), value: encrypted, hint: value.slice(-HINT_LENGTH) }
}

interface FunctionKey {
  account_id: string
  function_id: string
}

/** Gives a function a new key, in the name of the user who deploys it. Its previous key becomes invalid. */
export async function renewFunctionKey(
  { db }: Change,
  keys: Keyring,
  { account_id, function_id, user_id, label }: FunctionKey & { user_id: number; label: string },
): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('personal_api_keys').where('function_id', '=', function_id).execute()
  const { stored } = makeValue(keys, account_id)
  await db
    .insertInto('personal_api_keys')
    .values({ ...stored, user_id, label, scope: 'function', function_id })
    .execute()
}

/** The key of a function; undefined when it has none, or this installation cannot decrypt it. */
export async function readFunctionKey(
  db: Db,
  keys: Keyring,
  { account_id, function_id }: FunctionKey,
): Promise<string | undefined> {
  const row = await ofAccount(db, account_id)
    .selectFrom('personal_api_keys')
    .select(['id', 'value'])
    .where('function_id', '=', function_id)
    .executeTakeFirst()
  return row && decryptIfPossible(keys, contextIn(apiKeyValues, account_id, row.id), row.value)
}

/**
 * A key with its value.
 * @throws NotFound, also for a key of somebody else; Unacceptable when this installation cannot decrypt it
 */
export async function revealApiKey(db: Db, keys: Keyring, owner: Owner, id: string): Promise<ApiKey> {
  const row = await select(db, owner).where('id', '=', id).select('value').executeTakeFirst()
  if (!row) throw new NotFound()
  const { value: encrypted, ...rest } = row
  const value = decryptIfPossible(keys, contextIn(apiKeyValues, owner.account_id, id), encrypted)
  if (value === undefined) throw new Unacceptable('This key can no longer be shown. Generate a new one.')
  return { ...presentApiKey(rest), value }
}

/** @throws NotFound, also for a key of somebody else */
export async function deleteApiKey({ db }: Change, { account_id, user_id }: Owner, id: string): Promise<void> {
  const { numDeletedRows } = await ofAccount(db, account_id)
    .deleteFrom('personal_api_keys')
    .where('user_id', '=', user_id)
    .where('function_id', 'is', null)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new NotFound()
}

/** Deletes all keys of a user. */
export async function deleteApiKeysOf({ db }: Change, { account_id, user_id }: Owner): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('personal_api_keys').where('user_id', '=', user_id).execute()
}

type KeyRow = Omit<ApiKey, 'object' | 'value'> & { hint: string }

function select(db: Db, { account_id, user_id }: Owner) {
  return (
    ofAccount(db, account_id)
      .selectFrom('personal_api_keys')
      .select(columns)
      .where('user_id', '=', user_id)
      // Keys of functions belong to the functions.
      .where('function_id', 'is', null)
      .$narrowType<{ scope: ApiKey['scope'] }>()
  )
}

function presentApiKey({ hint, ...row }: KeyRow): ApiKey {
  return { ...row, object: 'personal_api_key', value: `${API_KEY_PREFIX}…${hint}` }
}
