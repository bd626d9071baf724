import { sql } from 'kysely'
import type { Db } from '../../platform/db/change.ts'

interface ConversationKey {
  account_id: string
  conversation_id: string
}

/**
 * To which address mail of the team goes, by account and conversation: one that was proven or that the team or an import entered, else
 * the one that the very browser gave which writes there. What one browser says of a customer sends nobody else's answers
 * anywhere. Conversations without one, and of customers who want no mail, are left out.
 */
export async function listReplyAddresses(db: Db, conversations: ConversationKey[]): Promise<Map<string, string>> {
  if (conversations.length === 0) return new Map()
  const { rows } = await sql<{ account_id: string; id: string; address: string | null }>`
    select v.account_id, v.id, case when c.field_sources ? 'email' then c.email else coalesce(s.email, v.reply_email) end as address
    from unnest(${conversations.map((one) => one.account_id)}::uuid[], ${conversations.map((one) => one.conversation_id)}::uuid[])
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
 * Whose address a new conversation has: the browser that starts it, or the only one of its customer when the team does.
 * Published clients have no session, so the address that is known of their customer is noted.
 */
export async function findOriginOfAnswers(db: Db, account_id: string, customer_id: string, session_id?: string) {
  if (session_id) return { visitor_session_id: session_id }
  const sessions = await db
    .selectFrom('visitor_sessions')
    .select('id')
    .where('account_id', '=', account_id)
    .where('customer_id', '=', customer_id)
    .limit(2)
    .execute()
  if (sessions.length > 0) return { visitor_session_id: sessions.length === 1 ? sessions[0]!.id : null }
  const customer = await db
    .selectFrom('customers')
    .select('email')
    .where('account_id', '=', account_id)
    .where('id', '=', customer_id)
    .where('origin', '=', 'browser')
    .where(sql<boolean>`not field_sources ? 'email'`)
    .executeTakeFirst()
  return { reply_email: customer?.email ?? null }
}
