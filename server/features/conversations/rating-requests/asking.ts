import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../../feature.ts'
import type { Change } from '../../../platform/db/change.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { writeRatingMail } from './rating-mail.ts'

export const askForRating = defineJob('ratingRequests.ask', {
  schema: z.object({ account_id: z.string(), conversation_id: z.string(), closed_at: z.string() }),
  mails: ['rating'],
  run: (context: Context, { account_id, conversation_id, closed_at }) =>
    writeRatingMail(context, account_id, conversation_id, closed_at),
})

/** Nobody waits for this mail. */
const REST_MS = 1_000

/** Plans a mail for each conversation that is closed in an inbox that asks for ratings. */
export const followClosing = defineConsumer('ratingRequests.followClosing', {
  of: ['conversation:updated'],
  restMs: REST_MS,
  concerns: sql`exists (select from inboxes i where i.account_id = events.account_id and i.rating_mail_hours is not null)`,
  jobs: [askForRating],
  consume: planRequests,
})

async function planRequests(
  { jobs }: Context,
  { db }: Change,
  events: LoggedEvent<'conversation:updated'>[],
): Promise<void> {
  const closed = events.flatMap(({ account_id, event: { conversation, before } }) =>
    before?.status === 'open' && conversation.closed_at
      ? [{ account_id, id: conversation.id, inbox_id: conversation.inbox_id, closed_at: conversation.closed_at }]
      : [],
  )
  if (closed.length === 0) return
  const inboxes = await db
    .selectFrom('inboxes')
    .select(['account_id', 'id', 'rating_mail_hours'])
    .where('account_id', 'in', [...new Set(closed.map(({ account_id }) => account_id))])
    .where('rating_mail_hours', 'is not', null)
    .execute()
  const hours = new Map(inboxes.map((inbox) => [`${inbox.account_id} ${inbox.id}`, inbox.rating_mail_hours]))
  const planned = closed.flatMap(({ account_id, id, inbox_id, closed_at }) => {
    const after = hours.get(`${account_id} ${inbox_id}`)
    if (!after) return []
    const not_before = new Date(Date.parse(closed_at) + after * 3_600_000)
    return [{ payload: { account_id, conversation_id: id, closed_at }, not_before }]
  })
  await jobs.enqueueAll(db, askForRating, planned)
}
