import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type PushDevice, PushSubscription } from '#contract/conversations/push.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { SignedInUser } from '../../../platform/caller.ts'
import { contextIn, type EncryptedColumn } from '../../../platform/crypto/encrypted-columns.ts'
import { decryptIfPossible, type Keyring } from '../../../platform/crypto/keyring.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { hashToken, newId } from '../../../platform/secrets.ts'

/** An address at a push service lets everybody notify the device, so it is stored like other secrets. */
export const pushSubscriptions: EncryptedColumn = { table: 'push_devices', column: 'subscription', row: 'id' }

/** Devices of one user; a new one beyond that replaces the one that was used least recently. */
const MAX_DEVICES = 20

const columns = [
  'id',
  'user_agent',
  'push_service',
  'auth_session_id',
  'created_at',
  'last_success_at',
  'problem',
  'problem_at',
] as const

/** A device with what is needed to send to it. */
export interface Recipient {
  account_id: string
  id: string
  user_id: number
  subscription: PushSubscription
  language: string | null
}

/** The devices of a user, newest first. */
export async function listDevices(db: Db, { account_id, user_id, session_id }: SignedInUser): Promise<PushDevice[]> {
  const rows = await selectDevices(db, account_id)
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => presentDevice(row, session_id))
}

interface NewDevice {
  subscription: PushSubscription
  language?: string | null | undefined
  user_agent: string | undefined
}

/**
 * Registers the browser of a session. A browser has one subscription, so whoever registers it last is notified on it:
 * somebody who used it before no longer is.
 */
export async function registerDevice(
  { keys }: Pick<Context, 'keys'>,
  { db }: Change,
  { account_id, user_id, session_id }: SignedInUser,
  { subscription, language, user_agent }: NewDevice,
): Promise<PushDevice> {
  const existing = await findByEndpoint(db, subscription.endpoint)
  const isOwn = existing?.account_id === account_id && existing.user_id === user_id
  if (existing && !isOwn) await removeRow(db, existing.account_id, existing.id)
  const id = isOwn ? existing.id : newId()
  const values = {
    auth_session_id: session_id,
    ...subscriptionColumns(keys, { account_id, id }, subscription),
    user_agent: user_agent?.slice(0, 400) ?? null,
    language: language ?? null,
  }
  await db
    .insertInto('push_devices')
    .values({ account_id, id, user_id, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doUpdateSet(values))
    .execute()
  await removeSurplus(db, account_id, user_id, id)
  const row = await selectDevices(db, account_id).where('id', '=', id).executeTakeFirstOrThrow()
  return presentDevice(row, session_id)
}

/**
 * Replaces the subscription of a device. Whoever knows the old address could notify the device anyway.
 * @throws NotFound: there is no device with this address
 */
export async function renewDevice(
  { keys }: Pick<Context, 'keys'>,
  { db }: Change,
  old_endpoint: string,
  subscription: PushSubscription,
): Promise<void> {
  const device = await findByEndpoint(db, old_endpoint)
  if (!device) throw new NotFound()
  const other = await findByEndpoint(db, subscription.endpoint)
  if (other && other.id !== device.id) await removeRow(db, other.account_id, other.id)
  await ofAccount(db, device.account_id)
    .updateTable('push_devices')
    .set(subscriptionColumns(keys, device, subscription))
    .where('id', '=', device.id)
    .execute()
}

/** @throws NotFound: the user has no such device */
export async function removeDevice({ db }: Change, { account_id, user_id }: SignedInUser, id: string): Promise<void> {
  const { numDeletedRows } = await ofAccount(db, account_id)
    .deleteFrom('push_devices')
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
}

/** Removes all devices of a user. Returns how many there were. */
export async function removeDevicesOf({ db }: Change, account_id: string, user_id: number): Promise<number> {
  const { numDeletedRows } = await ofAccount(db, account_id)
    .deleteFrom('push_devices')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The device to send to; undefined if it was removed, or its values cannot be decrypted. */
export async function findRecipient(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  account_id: string,
  id: string,
): Promise<Recipient | undefined> {
  const row = await ofAccount(db, account_id)
    .selectFrom('push_devices')
    .select(['account_id', 'id', 'user_id', 'subscription', 'language'])
    .where('id', '=', id)
    .executeTakeFirst()
  const text = row && decryptIfPossible(keys, contextIn(pushSubscriptions, account_id, id), row.subscription)
  return text === undefined ? undefined : { ...row!, subscription: z.parse(PushSubscription, JSON.parse(text)) }
}

/** Ids of the devices of a user. */
export async function listDeviceIds(db: Db, account_id: string, user_id: number): Promise<string[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('push_devices')
    .select('id')
    .where('user_id', '=', user_id)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Records how a push to a device ended: successfully, with a problem as a sentence, or because it no longer exists. */
export async function recordOutcome(
  db: Db,
  { account_id, id }: Pick<Recipient, 'account_id' | 'id'>,
  outcome: { problem: string | null } | 'unsubscribed',
): Promise<void> {
  if (outcome === 'unsubscribed') return removeRow(db, account_id, id)
  const { problem } = outcome
  const now = sql<string>`clock_timestamp()`
  await ofAccount(db, account_id)
    .updateTable('push_devices')
    .set(problem ? { problem, problem_at: now } : { problem: null, problem_at: null, last_success_at: now })
    .where('id', '=', id)
    .execute()
}

function selectDevices(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('push_devices').select(columns)
}

function presentDevice(
  { auth_session_id, ...row }: Omit<PushDevice, 'object' | 'is_current'> & { auth_session_id: string },
  session_id: string,
): PushDevice {
  return { ...row, object: 'push_device', is_current: auth_session_id === session_id }
}

function findByEndpoint(db: Db, endpoint: string) {
  return acrossAccounts(db, 'who holds the secret is told whose it is')
    .selectFrom('push_devices')
    .select(['account_id', 'id', 'user_id'])
    .where('endpoint_hash', '=', hashToken(endpoint))
    .forUpdate()
    .executeTakeFirst()
}

function subscriptionColumns(
  keys: Keyring,
  { account_id, id }: Pick<Recipient, 'account_id' | 'id'>,
  subscription: PushSubscription,
) {
  return {
    endpoint_hash: hashToken(subscription.endpoint),
    subscription: keys.encrypt(contextIn(pushSubscriptions, account_id, id), JSON.stringify(subscription)),
    push_service: new URL(subscription.endpoint).host.slice(0, 255),
  }
}

async function removeRow(db: Db, account_id: string, id: string): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('push_devices').where('id', '=', id).execute()
}

async function removeSurplus(db: Db, account_id: string, user_id: number, newest: string): Promise<void> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('push_devices')
    .select('id')
    .where('user_id', '=', user_id)
    .where('id', '!=', newest)
    .orderBy(sql`coalesce(last_success_at, created_at)`, 'desc')
    .offset(MAX_DEVICES - 1)
    .execute()
  for (const { id } of rows) await removeRow(db, account_id, id)
}
