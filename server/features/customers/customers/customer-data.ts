import { type CustomerData, linksAreCopied, reassignRows } from '../../../customer-data.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { loadCustomerTags } from '../tags/tags.ts'
import { eraseIdentity } from './forget-identity.ts'
import { deletePageVisits, listPageVisits } from './page-visits.ts'
import { deleteSessionEmails, endVisitorSessionsOf } from './visitor-sessions.ts'

const customers: CustomerData = {
  table: 'customers',
  merge: { stays: 'The row of the merged customer references the other, so that its id still leads there.' },
  export: { leftOut: 'The export begins with it.' },
  delete: eraseIdentity,
  erase: { goesWith: 'The row is deleted last, when nothing references it.' },
}

const tags: CustomerData = {
  table: 'customer_tags',
  merge: linksAreCopied('customer_tags', 'tag_id', 'tag_ids'),
  export: {
    as: 'tags',
    isInCustomer: true,
    read: async (db, account_id, id) => (await loadCustomerTags(db, account_id, [id])).get(id) ?? [],
  },
  async delete({ db }, account_id, ids) {
    await ofAccount(db, account_id).deleteFrom('customer_tags').where('customer_id', 'in', ids).execute()
  },
  erase: { goesWith: 'It was already removed with the deletion.' },
}

const visitorSessions: CustomerData = {
  table: 'visitor_sessions',
  // Their sockets reconnect as the other customer.
  merge: reassignRows('visitor_sessions', 'session_ids'),
  export: { leftOut: 'They are tokens of browsers, and contain nothing about the person beyond the customer.' },
  async delete(change, account_id, ids) {
    for (const id of ids) await endVisitorSessionsOf(change, account_id, id)
    await deleteSessionEmails(change, account_id, ids)
  },
  erase: { goesWith: 'The database deletes them with the customer.' },
}

const pageVisits: CustomerData = {
  table: 'page_visits',
  merge: { stays: 'They are read for everybody merged into the customer.' },
  export: { as: 'page_visits', read: listPageVisits },
  delete: deletePageVisits,
  erase: { goesWith: 'It was already removed with the deletion.' },
}

export const customersData = [customers, tags, visitorSessions, pageVisits]
