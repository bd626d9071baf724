import { sql } from 'kysely'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import type { ConversationDbRow } from '../conversations/conversations.ts'

/** A customer gets at most one automatic answer within this time, so that two machines do not write to each other. */
const PAUSE_MINUTES = 10

/**
 * Why the customer must not get an automatic answer now, as a sentence; undefined if they may.
 * @param isAnswered another rule has answered the same event
 */
export async function findReasonNotToAnswer(
  { db }: Change,
  { account_id, id, customer_id, assistant, possible_opt_out_at }: ConversationDbRow,
  isAnswered: boolean,
): Promise<string | undefined> {
  if (isAnswered) return 'Another rule has answered already.'
  if (assistant === 'answering') return 'The assistant answers in this conversation.'
  if (possible_opt_out_at) return 'The customer may have asked for no more messages.'
  // Locked, so that two conversations of one customer do not both answer.
  const customer = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select(['complained_at', 'blocked_at'])
    .where('id', '=', customer_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (customer?.blocked_at) return 'The customer is blocked.'
  if (customer?.complained_at) return 'The customer gets no automatic mails, because they have marked one as spam.'
  if (await isFromMachine(db, account_id, id)) return 'The newest message is an automatic mail.'
  const { rows } = await sql`
    select from rule_runs r join conversations c on c.account_id = r.account_id and c.id = r.conversation_id
    where c.account_id = ${account_id} and c.customer_id = ${customer_id}
      and r.answered_at > clock_timestamp() - make_interval(mins => ${PAUSE_MINUTES}) limit 1`.execute(db)
  return rows.length > 0 ? `A rule has answered this customer within the last ${PAUSE_MINUTES} minutes.` : undefined
}

async function isFromMachine(db: Change['db'], account_id: string, conversation_id: string): Promise<boolean> {
  const newest = await ofAccount(db, account_id)
    .selectFrom('messages')
    .leftJoin('message_mails', (join) =>
      join
        .onRef('message_mails.account_id', '=', 'messages.account_id')
        .onRef('message_mails.message_id', '=', 'messages.id'),
    )
    .select(['verdict', 'customer_id'])
    .where('messages.conversation_id', '=', conversation_id)
    .where('private', '=', false)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.verdict !== undefined && newest.verdict !== null && newest.verdict !== 'person'
}
