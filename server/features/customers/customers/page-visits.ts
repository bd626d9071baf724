import { PAGE_VISITS_KEPT, type PageVisit } from '#contract/customers/customers.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** Records that a customer visited a page, and deletes the oldest visits beyond the limit. */
export async function recordPageVisit({ db }: Change, account_id: string, customer_id: string, url: string) {
  await db
    .insertInto('page_visits')
    .values({ account_id, customer_id, url })
    // Two visits within a millisecond count as one.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await ofAccount(db, account_id)
    .deleteFrom('page_visits')
    .where('customer_id', '=', customer_id)
    .where('created_at', '<=', (eb) =>
      eb
        .selectFrom('page_visits')
        .select('created_at')
        .where('account_id', '=', account_id)
        .where('customer_id', '=', customer_id)
        .orderBy('created_at', 'desc')
        .offset(PAGE_VISITS_KEPT)
        .limit(1),
    )
    .execute()
}

/** The page visits of a customer, including those of merged customers: oldest first. */
export async function listPageVisits(db: Db, account_id: string, customer_id: string): Promise<PageVisit[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('page_visits')
    .select(['url', 'created_at'])
    .where('customer_id', 'in', (eb) =>
      eb
        .selectFrom('customers')
        .select('id')
        .where('account_id', '=', account_id)
        .where((own) => own.or([own('id', '=', customer_id), own('merged_into', '=', customer_id)])),
    )
    .orderBy('created_at', 'desc')
    .limit(PAGE_VISITS_KEPT)
    .execute()
  return rows.reverse()
}

/** Deletes customers' page visits. */
export async function deletePageVisits({ db }: Change, account_id: string, customer_ids: string[]): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('page_visits').where('customer_id', 'in', customer_ids).execute()
}

/** Deletes page visits that are older than the account's retention period. */
export async function prunePageVisits({ db }: Change, account_id: string, before: string): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('page_visits').where('created_at', '<', before).execute()
}
