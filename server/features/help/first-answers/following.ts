import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../../feature.ts'
import type { Change } from '../../../platform/db/change.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import { answerMessage } from './answering.ts'

/** Lets the assistant answer what customers write where it holds the conversation. */
export const followMessages = defineConsumer('firstAnswers.followMessages', {
  of: ['message:created'],
  // Where it was switched off, what it still holds is to be handed over.
  concerns: sql`(exists (select from inboxes i where i.account_id = events.account_id and i.first_answers <> 'never')
    or exists (select from conversations c where c.account_id = events.account_id and c.assistant = 'answering'))`,
  jobs: [answerMessage],
  consume: enqueueAnswers,
})

async function enqueueAnswers(
  { jobs }: Context,
  { db }: Change,
  events: LoggedEvent<'message:created'>[],
): Promise<void> {
  const written = events.flatMap(({ account_id, event: { message } }) =>
    message.customer_id && !message.private ? [{ ...message, account_id }] : [],
  )
  if (written.length === 0) return
  const held = await acrossAccounts(db, 'conversations of a batch of events, each with its account')
    .selectFrom('conversations')
    .select(['account_id', 'id'])
    .where(sql<boolean>`(account_id, id) in (select * from unnest(
      ${written.map(({ account_id }) => account_id)}::uuid[],
      ${written.map(({ conversation_id }) => conversation_id)}::uuid[]))`)
    // One that was handed over, and that no person has answered, may still have helped.
    .where((eb) => eb.or([eb('assistant', '=', 'answering'), eb('assistant', '=', 'handed_over')]))
    .where('first_replied_at', 'is', null)
    .execute()
  const isHeld = new Set(held.map(({ account_id, id }) => `${account_id} ${id}`))
  const concerned = written
    .filter(({ account_id, conversation_id }) => isHeld.has(`${account_id} ${conversation_id}`))
    .map(({ account_id, id: message_id }) => ({ payload: { account_id, message_id } }))
  await jobs.enqueueAll(db, answerMessage, concerned)
}
