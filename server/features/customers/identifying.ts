import type { Db } from '../../platform/db/change.ts'

interface Identity {
  external_id: string
  email?: string
  host?: string
}

/**
 * The customer with this external id (and e-mail and host, where given, ignoring case) whose browser holds no visitor
 * session. One that does is found by its token alone, else whoever guesses an external id would read along.
 */
export async function identifyCustomer(db: Db, account_id: string, { external_id, email, host }: Identity) {
  const found = await db
    .selectFrom('customers')
    .select((eb) => eb.fn.coalesce('merged_into', 'id').as('id'))
    .where('account_id', '=', account_id)
    .where('external_id', '=', external_id)
    .$if(!!email, (query) => query.where((eb) => eb(eb.fn('lower', ['email']), '=', email!.toLowerCase())))
    .$if(!!host, (query) => query.where((eb) => eb(eb.fn('lower', ['host']), '=', host!.toLowerCase())))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('visitor_sessions')
            .select('visitor_sessions.id')
            .where('visitor_sessions.account_id', '=', account_id)
            .where((eb) =>
              eb('visitor_sessions.customer_id', '=', eb.fn.coalesce('customers.merged_into', 'customers.id')),
            ),
        ),
      ),
    )
    .executeTakeFirst()
  return found?.id ?? null
}
