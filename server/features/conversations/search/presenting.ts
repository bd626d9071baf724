import type { SearchHit } from '#contract/conversations/search.ts'
import { findMatches } from '#contract/conversations/search-words.ts'
import type { Customer } from '#contract/customers/customers.ts'
import { plainText } from '#contract/text/plain.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { presentCustomerRow, selectCustomers } from '../../customers/customers/customers.ts'
import { presentConversationRow, type StoredConversation, selectConversations } from '../conversations/conversations.ts'
import { readLatest, selectPreviews } from '../messages/latest-messages.ts'
import { excerptOf } from './excerpts.ts'
import type { MatchPosition } from './positions.ts'
import type { Question } from './question.ts'

type ShownMessage = Omit<NonNullable<SearchHit['message']>, 'excerpt' | 'external_author'> & {
  body: string | null
  source: string
  external_author?: string | null
}

/**
 * The hits for a list of matches. A conversation is left out if its newest message matches as well, because that
 * message is in the list, and if it was archived meanwhile.
 */
export async function showHits(db: Db, question: Question, matches: MatchPosition[]): Promise<SearchHit[]> {
  if (matches.length === 0) return []
  const { account_id } = question
  const ids = [...new Set(matches.map(({ conversation_id }) => conversation_id))]
  const [rows, customers, messages] = await Promise.all([
    loadConversations(db, account_id, ids),
    loadCustomersOf(db, account_id, ids),
    loadMessages(db, account_id, matches),
  ])
  return matches.flatMap(({ id, conversation_id, matched }): SearchHit[] => {
    const row = rows.get(conversation_id)
    const customer = row && customers.get(row.customer_id)
    if (!customer) return []
    const message = messages.get(id) ?? null
    if (matched === 'message' ? !message : message && isMatchItself(question, message)) return []
    return [
      {
        matched,
        conversation: { ...presentConversationRow(row), customer },
        message: message && showMessage(question, message),
      },
    ]
  })
}

async function loadConversations(db: Db, account_id: string, ids: string[]): Promise<Map<string, StoredConversation>> {
  const rows = await selectConversations(db, account_id)
    .where('id', 'in', ids)
    .where('archived_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The customers of conversations, by id. */
async function loadCustomersOf(db: Db, account_id: string, conversation_ids: string[]): Promise<Map<string, Customer>> {
  const theirs = ofAccount(db, account_id)
    .selectFrom('conversations')
    .select('customer_id')
    .where('id', 'in', conversation_ids)
  const rows = await selectCustomers(db, account_id).where('id', 'in', theirs).execute()
  return new Map(rows.map((row) => [row.id, presentCustomerRow(row)]))
}

/** Messages by match id: the message itself, or the newest of the conversation. */
async function loadMessages(db: Db, account_id: string, matches: MatchPosition[]) {
  const ids = matches.filter(({ matched }) => matched === 'message').map(({ id }) => id)
  const newest = matches.flatMap(({ matched, id }) => (matched === 'message' ? [] : [id]))
  const [named, last] = await Promise.all([
    ids.length > 0 ? selectPreviews(db, account_id).where('id', 'in', ids).execute() : [],
    readLatest(db, account_id, newest, 'preview'),
  ])
  return new Map<string, ShownMessage>([
    ...named.map((row): [string, ShownMessage] => [row.id, row]),
    ...last.map((row): [string, ShownMessage] => [row.conversation_id, row]),
  ])
}

function isMatchItself({ parts, terms }: Question, { body }: ShownMessage): boolean {
  if (terms.length === 0 || !body) return false
  const textParts = parts.filter(
    ({ kind, value }) => kind !== 'operator' && findMatches(value, [{ kind: 'word', value, start: 0, end: 0 }]).length,
  )
  return textParts.every((part) => findMatches(body, [part]).length > 0)
}

function showMessage({ parts }: Question, message: ShownMessage): NonNullable<SearchHit['message']> {
  const { id, number, created_at, type, user_id, external_author, customer_id, body, source } = message
  return {
    id,
    number,
    created_at,
    type,
    private: message.private,
    user_id,
    ...(external_author && { external_author }),
    customer_id,
    // Formatting characters are not shown, as in the list.
    excerpt: excerptOf(plainText({ body, customer_id, source }), parts),
  }
}
