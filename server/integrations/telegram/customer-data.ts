import type { CustomerData } from '../../customer-data.ts'
import { ofAccount } from '../../platform/db/of-account.ts'

/** Invitations of customers, which last an hour. */
export const telegramInvitations: CustomerData = {
  table: 'telegram_invitations',
  merge: { stays: 'It leads to the survivor, who is found by the id of the merged customer.' },
  export: { leftOut: 'It contains nothing but the hash of a link that is valid for an hour.' },
  async delete({ db }, account_id, ids) {
    await ofAccount(db, account_id).deleteFrom('telegram_invitations').where('customer_id', 'in', ids).execute()
  },
  erase: { goesWith: 'It was already removed with the deletion.' },
}
