import type { Authorization, IntegrationName, Transport } from '#contract/connections/integrations.ts'
import { authorizationRemoved, authorizationUpdated } from '#contract/connections/integrations.ts'
import type { Context } from '../../../context.ts'
import { NotFound, Refusal } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { type Actor, recordAudit } from '../../accounts/audit/audit.ts'
import { getAuthorization } from './authorizations.ts'
import { saveCredentials, wipeCredentials } from './secrets.ts'

export interface NewAuthorization {
  integration: IntegrationName
  inbox_id: string | null
  user_id?: number | null
  slot?: string
  label: string
  /** Unique in the installation: the mailbox, the channel. */
  address?: string | null
  scope?: string | null
  token_type?: string | null
  way_in?: Transport
  settings?: object
  cursor?: object | null
  credentials: object
}

/** Throws while integrations are switched off. */
export function assertSwitchedOn({ config }: Pick<Context, 'config'>): void {
  if (config.integrations) return
  throw new Refusal(409, 'Integrations are switched off on this server. Set INTEGRATIONS=on and start again.', 'off')
}

/**
 * Connects or reconnects: at the same place it is the same connection with its threads, even if it had been removed.
 * The caller should have tested the credentials before: nothing is called here.
 * @throws Refusal when the address is connected elsewhere
 */
export async function connectAuthorization(
  { keys }: Pick<Context, 'keys'>,
  tx: Change,
  caller: User,
  input: NewAuthorization,
): Promise<Authorization> {
  const { account_id } = caller
  const { integration, inbox_id, slot = '', address = null, credentials } = input
  const existing = await findByKey(tx, account_id, { integration, inbox_id, slot, address })
  await assertNotConnectedElsewhere(tx, { integration, address, id: existing?.id })
  const id = existing?.id ?? newId()
  const now = new Date().toISOString()
  const values = {
    user_id: input.user_id ?? null,
    label: input.label,
    address,
    scope: input.scope ?? null,
    token_type: input.token_type ?? null,
    way_in: input.way_in ?? 'none',
    settings: toJson(input.settings ?? {}),
    ...(input.cursor !== undefined && { cursor: input.cursor && toJson(input.cursor) }),
    state: 'connected' as const,
    ...WELL,
    removed_at: null,
    connected_at: now,
    updated_at: now,
  }
  if (existing) await row(tx, account_id, id).set(values).execute()
  else
    await tx.db
      .insertInto('authorizations')
      .values({ account_id, id, integration, inbox_id, slot, ...values })
      .execute()
  await saveCredentials(tx, keys, { account_id, id }, credentials)
  const authorization = await announce(tx, account_id, id)
  const action = existing ? 'integration.reconnected' : 'integration.connected'
  await recordAudit(tx, caller, {
    action,
    subject_id: id,
    subject_name: input.label,
    details: { integration, inbox_id },
  })
  return authorization
}

const WELL = {
  problem: null,
  problem_at: null,
  receiving_problem: null,
  receiving_problem_at: null,
  receiving_failures: [],
  failures: 0,
  paused_until: null,
}

/** The connection at a place, else one that was removed from there. */
function findByKey(
  { db }: Change,
  account_id: string,
  key: { integration: string; inbox_id: string | null; slot: string; address: string | null },
) {
  return (
    ofAccount(db, account_id)
      .selectFrom('authorizations')
      .select(['id', 'removed_at'])
      .where('integration', '=', key.integration)
      .where('inbox_id', 'is not distinct from', key.inbox_id)
      .where('slot', '=', key.slot)
      // Another mailbox in place of a removed one is a new connection, with threads of its own.
      .where((eb) => eb.or([eb('removed_at', 'is', null), eb('address', 'is not distinct from', key.address)]))
      .orderBy('removed_at', (order) => order.desc().nullsFirst())
      .forUpdate()
      .executeTakeFirst()
  )
}

async function assertNotConnectedElsewhere(
  { db }: Change,
  { integration, address, id }: { integration: string; address: string | null; id: string | undefined },
): Promise<void> {
  if (address === null) return
  const other = await acrossAccounts(db, 'an address is taken in the whole installation')
    .selectFrom('authorizations')
    .select('id')
    .where('integration', '=', integration)
    .where('address', '=', address)
    .where('removed_at', 'is', null)
    .$if(!!id, (query) => query.where('id', '!=', id!))
    .executeTakeFirst()
  if (!other) return
  throw new Refusal(409, `${address} is already connected elsewhere. Disconnect it there first.`, 'connected_elsewhere')
}

/**
 * Changes the settings of a connection.
 * @throws NotFound
 */
export async function changeAuthorizationSettings(
  tx: Change,
  caller: User,
  id: string,
  settings: object,
): Promise<Authorization> {
  const { account_id } = caller
  const { numUpdatedRows } = await row(tx, account_id, id)
    .set({ settings: toJson(settings), updated_at: new Date().toISOString() })
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!numUpdatedRows) throw new NotFound()
  const authorization = await announce(tx, account_id, id)
  await recordAudit(tx, caller, {
    action: 'integration.changed',
    subject_id: id,
    subject_name: authorization.label,
    details: { integration: authorization.integration },
  })
  return authorization
}

/**
 * Removes a connection and destroys its credentials; threads stay, because the same place may be connected again.
 * @throws NotFound
 */
export async function removeAuthorization(tx: Change, caller: Actor, id: string): Promise<Authorization> {
  const { account_id } = caller
  const removed = await getAuthorization(tx.db, account_id, id)
  const now = new Date().toISOString()
  const { numUpdatedRows } = await row(tx, account_id, id)
    .set({ removed_at: now, updated_at: now, ...WELL })
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!numUpdatedRows) throw new NotFound()
  await wipeCredentials(tx, { account_id, id })
  tx.announce(account_id, authorizationRemoved, { authorization_id: id })
  const { integration, label } = removed
  await recordAudit(tx, caller, {
    action: 'integration.disconnected',
    subject_id: id,
    subject_name: label,
    details: { integration },
  })
  return removed
}

/** Changes the settings of a connection. @throws NotFound */
export async function saveSettings(
  tx: Change,
  caller: User,
  id: string,
  settings: Record<string, unknown>,
): Promise<void> {
  const { account_id } = caller
  const { label } = await getAuthorization(tx.db, account_id, id)
  await row(tx, account_id, id)
    .set({ settings: toJson(settings), updated_at: new Date().toISOString() })
    .execute()
  await announce(tx, account_id, id)
  await recordAudit(tx, caller, {
    action: 'integration.changed',
    subject_id: id,
    subject_name: label,
    details: { settings },
  })
}

/** Stores how far the other system was read, in the transaction that stores what was read. */
export async function saveCursor(tx: Change, account_id: string, id: string, cursor: object): Promise<void> {
  await row(tx, account_id, id)
    .set({ cursor: toJson(cursor) })
    .execute()
}

/**
 * Moves an inbox's connections along with its conversations. Those of a kind that the other inbox already has are
 * disconnected; without another inbox, all are.
 */
export async function moveAuthorizations(
  tx: Change,
  caller: User,
  from: string,
  to: string | undefined,
): Promise<void> {
  const { account_id } = caller
  const connected = await ofAccount(tx.db, account_id)
    .selectFrom('authorizations')
    .select(['id', 'integration', 'slot'])
    .where('inbox_id', '=', from)
    .where('removed_at', 'is', null)
    .forUpdate()
    .execute()
  for (const { id, integration, slot } of connected) {
    const occupied = to && (await findByKey(tx, account_id, { integration, inbox_id: to, slot, address: null }))
    if (!to || (occupied && !occupied.removed_at)) await removeAuthorization(tx, caller, id)
    else {
      await row(tx, account_id, id).set({ inbox_id: to, updated_at: new Date().toISOString() }).execute()
      await announce(tx, account_id, id)
    }
  }
}

function row({ db }: Change, account_id: string, id: string) {
  return ofAccount(db, account_id).updateTable('authorizations').where('id', '=', id)
}

async function announce(tx: Change, account_id: string, id: string): Promise<Authorization> {
  const authorization = await getAuthorization(tx.db, account_id, id)
  tx.announce(account_id, authorizationUpdated, { authorization })
  return authorization
}
