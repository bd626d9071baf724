import type { IntegrationName } from '#contract/connections/integrations.ts'
import { type CustomerData, reassignRows } from '../../../customer-data.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'

interface Identity {
  integration: IntegrationName
  external_id: string
  customer_id?: string | null
  user_id?: number | null
  name?: string | null
  email?: string | null
  photo?: string | null
}

/** A person in another system, if known. */
export function findIdentity(db: Db, account_id: string, integration: IntegrationName, external_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('external_identities')
    .select(['id', 'customer_id', 'user_id', 'name', 'email', 'photo', 'fetched_at', 'unsubscribed_at'])
    .where('integration', '=', integration)
    .where('external_id', '=', external_id)
    .executeTakeFirst()
}

/** Those of these people who are known, by external id. */
export async function loadIdentities(
  db: Db,
  account_id: string,
  integration: IntegrationName,
  external_ids: string[],
): Promise<Map<string, { email: string | null }>> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('external_identities')
    .select(['external_id', 'email'])
    .where('integration', '=', integration)
    .where((eb) => eb('external_id', '=', eb.fn.any(eb.val(external_ids))))
    .execute()
  return new Map(rows.map(({ external_id, email }) => [external_id, { email }]))
}

/** A person in another system by e-mail address, the one stored last. */
export function findIdentityByEmail(db: Db, account_id: string, integration: IntegrationName, email: string) {
  return ofAccount(db, account_id)
    .selectFrom('external_identities')
    .select(['external_id', 'customer_id'])
    .where('integration', '=', integration)
    .where('email', '=', email.trim().toLowerCase())
    .orderBy('fetched_at', 'desc')
    .executeTakeFirst()
}

/** Stores a person's identity in another system, with the details fetched now. */
export async function saveIdentity(
  { db }: Pick<Change, 'db'>,
  account_id: string,
  { integration, external_id, ...profile }: Identity,
): Promise<void> {
  const fetched_at = new Date().toISOString()
  await db
    .insertInto('external_identities')
    .values({ account_id, id: newId(), integration, external_id, ...profile, fetched_at })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'integration', 'external_id']).doUpdateSet({ ...profile, fetched_at }),
    )
    .execute()
}

/** Stores since when somebody wants no more messages there; null if they want them again. It stays when customers are merged. */
export async function setUnsubscribed(
  { db }: Change,
  account_id: string,
  integration: IntegrationName,
  external_id: string,
  unsubscribed_at: string | null,
): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('external_identities')
    .set({ unsubscribed_at })
    .where('integration', '=', integration)
    .where('external_id', '=', external_id)
    .execute()
}

/** Customers' identities in other systems. */
export const externalIdentities: CustomerData = {
  table: 'external_identities',
  merge: reassignRows('external_identities', 'external_identity_ids'),
  export: { as: 'identities', isInCustomer: true, read: exportIdentities },
  delete: destroyIdentities,
  erase: { goesWith: 'It was already removed with the deletion.' },
}

function exportIdentities(db: Db, account_id: string, customer_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('external_identities')
    .select(['integration', 'external_id', 'name', 'email', 'unsubscribed_at', 'created_at'])
    .where('customer_id', '=', customer_id)
    .orderBy('created_at')
    .execute()
}

async function destroyIdentities({ db }: Change, account_id: string, ids: string[]): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('external_identities').where('customer_id', 'in', ids).execute()
}
