import { sql } from 'kysely'
import type { ConversationRow } from '#contract/conversations/conversations.ts'
import { PAGE_SIZE } from '#contract/conversations/messages.ts'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import type { Customer } from '#contract/customers/customers.ts'
import type { Db } from '../../../platform/db/change.ts'
import { readTogether } from '../../../platform/db/transact.ts'
import {
  columns,
  presentConversationRow,
  type StoredConversation,
  selectConversations,
} from '../../conversations/conversations/conversations.ts'
import { expandMessages, selectMessages } from '../../conversations/messages/messages.ts'
import { loadCompanies } from '../companies/companies.ts'
import { listNotesAbout } from '../customer-notes/customer-notes.ts'
import { getCustomer } from '../customers/customers.ts'
import { listIssues } from '../issues/issues.ts'
import { loadCustomerTags } from '../tags/tags.ts'
import { undoableSince } from './merging.ts'

/** What is expanded by default. */
const USUAL = ['company', 'tags']

/** What can be expanded beside company and tags, in the order of the answer. */
const EXPANSIONS = {
  conversations: listConversations,
  messages: listMessages,
  notes: listNotesAbout,
  issues: (db: Db, account_id: string, customer_id: string) => listIssues(db, account_id, { customer_id }),
  merged_at: undoableSince,
}

/** One customer with the requested expansions; unknown names are ignored. */
export function getProfile(db: Db, account_id: string, id: string, expand = USUAL): Promise<CustomerProfile> {
  const wanted = new Set(expand.map((name) => (name === 'merge' ? 'merged_at' : name)))
  return readTogether(db, async (together) => {
    const customer = await getCustomer(together, account_id, id)
    const reading = Object.entries(EXPANSIONS)
      .filter(([name]) => wanted.has(name))
      .map(async ([name, read]) => [name, await read(together, account_id, customer.id)] as const)
    const [[beside], ...expansions] = await Promise.all([
      expandCustomers(together, account_id, [customer], wanted),
      ...reading,
    ])
    return { ...customer, ...beside, ...Object.fromEntries(expansions) }
  })
}

/** Customers of a list with company, tags and newest conversation: three queries, for any number of customers. */
export async function expandList(db: Db, account_id: string, customers: Customer[]): Promise<CustomerProfile[]> {
  const ids = customers.map(({ id }) => id)
  const [expanded, newest] = await Promise.all([
    expandCustomers(db, account_id, customers, new Set(USUAL)),
    loadNewestConversations(db, account_id, ids),
  ])
  return expanded.map((customer) => ({ ...customer, conversations: newest.get(customer.id) ?? [] }))
}

async function expandCustomers(
  db: Db,
  account_id: string,
  customers: Customer[],
  wanted: Set<string>,
): Promise<CustomerProfile[]> {
  const ids = customers.map(({ id }) => id)
  const company_ids = customers.flatMap(({ company_id }) => company_id ?? [])
  const [companies, tags] = await Promise.all([
    wanted.has('company') ? loadCompanies(db, account_id, company_ids) : undefined,
    wanted.has('tags') ? loadCustomerTags(db, account_id, ids) : undefined,
  ])
  return customers.map((customer) => ({
    ...customer,
    ...(companies && { company: (customer.company_id && companies.get(customer.company_id)) || null }),
    ...(tags && { tags: tags.get(customer.id) ?? [] }),
  }))
}

async function loadNewestConversations(db: Db, account_id: string, customer_ids: string[]) {
  if (customer_ids.length === 0) return new Map<string, ConversationRow[]>()
  const { rows } = await sql<StoredConversation>`
    select newest.* from unnest(${customer_ids}::uuid[]) customer (id), lateral (
      select ${sql.join(columns.map((column) => sql.ref(column)))} from conversations
      where account_id = ${account_id} and customer_id = customer.id and archived_at is null
      order by created_at desc, id desc limit 1) newest`.execute(db)
  return new Map(rows.map((row) => [row.customer_id, [presentConversationRow(row)]]))
}

async function listConversations(db: Db, account_id: string, customer_id: string): Promise<ConversationRow[]> {
  const rows = await selectConversations(db, account_id)
    .where('customer_id', '=', customer_id)
    .where('archived_at', 'is', null)
    .orderBy('last_activity_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE)
    .execute()
  return rows.map(presentConversationRow)
}

/** Their latest messages, in conversations that are not archived. */
async function listMessages(db: Db, account_id: string, customer_id: string) {
  const conversations = await listConversations(db, account_id, customer_id)
  if (conversations.length === 0) return []
  const rows = await selectMessages(db, account_id)
    .where(
      'conversation_id',
      'in',
      conversations.map(({ id }) => id),
    )
    .where('customer_id', '=', customer_id)
    .orderBy('created_at', 'desc')
    .orderBy('number', 'desc')
    .limit(PAGE_SIZE)
    .execute()
  return expandMessages(db, account_id, rows)
}
