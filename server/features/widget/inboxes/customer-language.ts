import { chooseServerLanguage } from '../../../languages.ts'
import type { Db } from '../../../platform/db/change.ts'

/** A customer who gets a mail, and the inbox. */
interface Reader {
  account_id: string
  customer_id: string
  inbox_id: string
}

/** The language of mails to a customer: that of their browser, else of the inbox's widget. */
export async function readCustomerLanguage(db: Db, { account_id, customer_id, inbox_id }: Reader): Promise<string> {
  const row = await db
    .selectFrom('customers as c')
    .leftJoin('widget_settings as w', (join) =>
      join.onRef('w.account_id', '=', 'c.account_id').on('w.inbox_id', '=', inbox_id),
    )
    .select(['c.browser_language', 'w.language'])
    .where('c.account_id', '=', account_id)
    .where('c.id', '=', customer_id)
    .executeTakeFirst()
  return chooseServerLanguage([row?.browser_language, row?.language])
}
