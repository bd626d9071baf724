import { type SqlBool, sql } from 'kysely'
import type { Customer } from '#contract/customers/customers.ts'
import { customerUpdated } from '#contract/customers/customers.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { type JsonText, toJson } from '../../../platform/db/to-json.ts'
import type { Source } from './columns.ts'
import { type CustomerRow, columns, presentCustomerRow } from './customers.ts'
import { isTrusted } from './field-sources.ts'

/** The customer with an external id, according to the team, an import or a signed token. */
export async function findByExternalId({ db }: Change, account_id: string, external_id: string) {
  const row = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select((eb) => eb.fn.coalesce('merged_into', 'id').as('id'))
    .where('external_id', '=', external_id)
    .where('deleted_at', 'is', null)
    // A merged customer counts, too: the team decided that.
    .where((eb) => eb.or([isTrusted('customers', 'external_id'), eb('merged_into', 'is not', null)]))
    .executeTakeFirst()
  return row?.id
}

/**
 * Sets a customer's external id. If somebody else has it, it is only stored as a claim, unless the other merely claims
 * it and this one is vouched for: then the other keeps it as a claim.
 */
export async function setExternalId(
  change: Change,
  account_id: string,
  id: string,
  external_id: string,
  source: Source,
): Promise<void> {
  const { db } = change
  if (source !== 'browser') await releaseExternalIds(change, account_id, [external_id], id)
  const own = ofAccount(db, account_id).updateTable('customers').where('id', '=', id)
  const updated = await own
    .set({
      external_id,
      claimed_external_id: null,
      ...(source !== 'browser' && {
        field_sources: sql<JsonText>`field_sources || ${toJson({ external_id: source })}::jsonb`,
      }),
    })
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('customers as other')
            .select('other.id')
            .where('other.account_id', '=', account_id)
            .where('other.external_id', '=', external_id)
            .where('other.id', '<>', id),
        ),
      ),
    )
    .executeTakeFirst()
  if (updated.numUpdatedRows || source !== 'browser') return
  await own.set({ claimed_external_id: external_id }).execute()
}

/** Takes external ids away from customers who merely claimed them; they keep them as claims. */
export async function releaseExternalIds(
  { db }: Change,
  account_id: string,
  external_ids: string[],
  except_id?: string,
) {
  if (external_ids.length === 0) return
  await ofAccount(db, account_id)
    .updateTable('customers')
    .set((eb) => ({ claimed_external_id: eb.ref('external_id'), external_id: null }))
    .where('external_id', 'in', external_ids)
    .where('merged_into', 'is', null)
    .where(sql<SqlBool>`not ${isTrusted('customers', 'external_id')}`)
    .$if(!!except_id, (query) => query.where('id', '<>', except_id!))
    .execute()
}

/** Customers known only by the claims of an unsigned browser. */
const UNVOUCHED = sql<SqlBool>`u.origin = 'browser' and u.identity_proven_at is null and u.merged_into is null and u.deleted_at is null`

/** Links an unsigned customer to the one it claims to be, by external id, else by a known e-mail address. */
export async function linkClaim({ db }: Change, account_id: string, id: string): Promise<void> {
  await sql`
    update customers u set claimed_customer_id = coalesce(
      (select coalesce(k.merged_into, k.id) from customers k
       where k.account_id = u.account_id and k.external_id = u.claimed_external_id and k.id <> u.id
         and k.merged_into is distinct from u.id and k.deleted_at is null),
      (select k.id from customers k
       where k.account_id = u.account_id and lower(k.email) = lower(u.email) and k.email is not null and k.id <> u.id
         and not u.field_sources ? 'email' and k.field_sources ? 'email' and k.merged_into is null and k.deleted_at is null
       order by k.created_at, k.id limit 1))
    where u.account_id = ${account_id} and u.id = ${id} and ${UNVOUCHED}`.execute(db)
}

/**
 * Links unsigned customers to these, who just became known through the team, an import or a signed token, if they claim
 * to be one of them. Returns those who do.
 */
export async function linkClaimants({ db }: Change, account_id: string, known_ids: string[]): Promise<Customer[]> {
  if (known_ids.length === 0) return []
  const link = (claim: ReturnType<typeof sql<SqlBool>>) => sql<CustomerRow>`
    update customers u set claimed_customer_id = k.id from customers k
    where k.account_id = ${account_id} and k.id = any(${known_ids}::uuid[]) and k.merged_into is null
      and u.account_id = ${account_id} and u.id <> k.id and u.claimed_customer_id is distinct from k.id
      and ${UNVOUCHED} and ${claim}
    returning ${sql.join(columns.map((column) => sql.ref(`u.${column}`)))}`
  const byId = sql<SqlBool>`u.claimed_external_id = k.external_id and k.field_sources ? 'external_id'`
  const byMail = sql<SqlBool>`lower(u.email) = lower(k.email) and u.email is not null and u.claimed_external_id is null
    and not u.field_sources ? 'email' and k.field_sources ? 'email'`
  const rows = [...(await link(byId).execute(db)).rows, ...(await link(byMail).execute(db)).rows]
  return rows.map(presentCustomerRow)
}

/** Announces everybody who claims to be a customer that just became known. */
export async function announceClaimants(change: Change, account_id: string, known_id: string): Promise<void> {
  for (const customer of await linkClaimants(change, account_id, [known_id])) {
    change.announce(account_id, customerUpdated, { customer })
  }
}

interface Identity {
  external_id: string
  email?: string
  host?: string
}

/**
 * The customer found by an unsigned external id (and e-mail and host, where given, ignoring case): one created by a
 * browser without visitor session. Where the account trusts unsigned ids, also one added by the team or an import. A
 * customer with a session is found by its token only; otherwise anyone who guesses an external id could read along.
 */
export async function identifyCustomer(
  db: Db,
  account_id: string,
  { external_id, email, host }: Identity,
  trusted: boolean,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select c.id from customers matching
    join customers c on c.account_id = matching.account_id and c.id = coalesce(matching.merged_into, matching.id)
    where matching.account_id = ${account_id} and (matching.external_id = ${external_id} or matching.claimed_external_id = ${external_id})
      and (${email ?? null}::text is null or lower(matching.email) = lower(${email ?? null}))
      and (${host ?? null}::text is null or lower(matching.host) = lower(${host ?? null}))
      and c.deleted_at is null and c.identity_proven_at is null
      and (${trusted} or (c.origin = 'browser' and not matching.field_sources ? 'external_id'))
      and not exists (select from visitor_sessions s where s.account_id = c.account_id and s.customer_id = c.id)
    order by matching.external_id is null, matching.created_at, matching.id limit 1`.execute(db)
  return rows[0]?.id ?? null
}
