import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

interface ConversationKey {
  account_id: string
  conversation_id: string
}

/**
 * The address for mails of the team, by account and conversation: one that was proven or entered by the team or an
 * import, else the one given by the browser that writes in this conversation. An address claimed by one browser must
 * not redirect replies to others. Conversations without an address, and customers who want no mail, are left out.
 */
export async function listReplyAddresses(db: Db, conversations: ConversationKey[]): Promise<Map<string, string>> {
  if (conversations.length === 0) return new Map()
  const { rows } = await sql<{ account_id: string; id: string; address: string | null }>`
    select v.account_id, v.id, case when c.field_sources ? 'email' then c.email else coalesce(s.email, v.reply_email) end as address
    from unnest(${conversations.map((conversation) => conversation.account_id)}::uuid[], ${conversations.map((conversation) => conversation.conversation_id)}::uuid[])
      as wanted (account_id, id)
    join conversations v on v.account_id = wanted.account_id and v.id = wanted.id
    join customers c on c.account_id = v.account_id and c.id = v.customer_id
    left join visitor_sessions s on s.account_id = v.account_id and s.id = v.visitor_session_id
    where v.source = 'chat' and c.unsubscribed_at is null`.execute(db)
  return new Map(
    rows.flatMap(({ account_id, id, address }) => (address ? [[`${account_id} ${id}`, address] as const] : [])),
  )
}

/**
 * The source of a new conversation's address: the browser that starts it, or its customer's only browser when the team
 * starts it. Published clients have no session, so the known address of their customer is stored.
 */
export async function findOriginOfAnswers(db: Db, account_id: string, customer_id: string, session_id?: string) {
  if (session_id) return { visitor_session_id: session_id }
  const sessions = await ofAccount(db, account_id)
    .selectFrom('visitor_sessions')
    .select('id')
    .where('customer_id', '=', customer_id)
    .limit(2)
    .execute()
  if (sessions.length > 0) return { visitor_session_id: sessions.length === 1 ? sessions[0]!.id : null }
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('email')
    .where('id', '=', customer_id)
    .where('origin', '=', 'browser')
    .where(sql<boolean>`not field_sources ? 'email'`)
    .executeTakeFirst()
  return { reply_email: customer?.email ?? null }
}
