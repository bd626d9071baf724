import type { Article } from '#contract/help/articles.ts'
import { MAX_ARTICLE_LENGTH } from '#contract/help/articles.ts'
import { cutText } from '#contract/text/graphemes.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { getConversationRow } from '../../conversations/conversations/conversations.ts'
import { DIRECT_IDENTIFIERS } from '../../customers/customers/columns.ts'
import { readHelpCenter } from '../help-center/help-center.ts'
import { createArticle } from './drafts.ts'
import { maskPersonalData } from './masking.ts'
import type { Addresses } from './presenting.ts'

const MAX_MESSAGES = 200

/**
 * Creates a draft of a conversation: what the customer asked as a quotation, then what the team answered. What could
 * tell who the customer is, is replaced; an author still has to read it before it is published.
 * @throws NotFound
 */
export async function createFromConversation(
  tx: Change,
  addresses: Addresses,
  caller: User,
  { conversation_id, language }: { conversation_id: string; language?: string | undefined },
): Promise<Article> {
  const { account_id } = caller
  const { subject, customer_id } = await getConversationRow(tx.db, account_id, conversation_id)
  const center = await readHelpCenter(tx.db, account_id)
  const mask = await maskFor(tx.db, account_id, customer_id)
  const messages = await readMessages(tx.db, account_id, conversation_id)
  const paragraphs = messages.map(({ body, isByCustomer }) => {
    const text = mask(body)
    return isByCustomer ? text.replace(/^/gm, '> ') : text
  })
  const question = messages.find(({ isByCustomer }) => isByCustomer)?.body ?? ''
  const title = cutText(mask(subject ?? question.split('\n')[0]!).trim(), 120)
  const body = paragraphs.join('\n\n').slice(0, MAX_ARTICLE_LENGTH)
  return createArticle(tx, addresses, caller, {
    language: language ?? center.default_language,
    title,
    summary: '',
    body,
  })
}

async function maskFor(db: Db, account_id: string, customer_id: string): Promise<(text: string) => string> {
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select(DIRECT_IDENTIFIERS)
    .where('id', '=', customer_id)
    .executeTakeFirst()
  return (text) => maskPersonalData(text, customer ?? {})
}

/** What both sides wrote, in order: neither notes nor what a bot said. */
async function readMessages(db: Db, account_id: string, conversation_id: string) {
  const rows = await ofAccount(db, account_id)
    .selectFrom('messages')
    .select(['body', 'customer_id'])
    .where('conversation_id', '=', conversation_id)
    .where('type', '=', 'reply')
    .where('private', '=', false)
    .where('body', 'is not', null)
    .orderBy('number')
    .limit(MAX_MESSAGES)
    .execute()
  return rows.map(({ body, customer_id }) => ({ body: body!.trim(), isByCustomer: customer_id !== null }))
}
