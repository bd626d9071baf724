import type { CustomerData } from '../../../customer-data.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { readerOfCustomer } from './readers.ts'

/** Votes and reads, which know a customer only by a hash. */
export const articleVotesData: CustomerData = dataOf('article_votes')
export const articleReadsData: CustomerData = dataOf('article_reads')

function dataOf(table: 'article_votes' | 'article_reads'): CustomerData {
  return {
    table,
    merge: { stays: 'Nobody can tell whose they are without computing the hash of a customer.' },
    export: { leftOut: 'They say which articles helped, not who their reader is.' },
    delete: { stays: 'They name nobody.' },
    async erase({ config }, { db }, account_id, ids) {
      const readers = ids.map((id) => readerOfCustomer(config, account_id, id))
      await ofAccount(db, account_id).deleteFrom(table).where('reader', 'in', readers).execute()
      return {}
    },
  }
}
