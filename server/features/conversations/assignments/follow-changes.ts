import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../../feature.ts'
import type { Change } from '../../../platform/db/change.ts'
import { checkReopened, handOut } from './jobs.ts'

const FOLLOWED = ['conversation:created', 'conversation:updated', 'availability:updated', 'team:updated'] as const

/** Whatever lets a conversation wait for somebody, or gives somebody time, starts the handing out. */
export const followChanges = defineConsumer('assignments.followChanges', {
  of: FOLLOWED,
  concerns: sql`exists (select from teams t where t.account_id = events.account_id and t.assignment <> 'by_hand')`,
  jobs: [handOut, checkReopened],
  consume: enqueueAssignments,
})

async function enqueueAssignments(
  { jobs }: Context,
  { db }: Change,
  events: LoggedEvent<(typeof FOLLOWED)[number]>[],
): Promise<void> {
  const reopened = events.flatMap(({ account_id, event }) =>
    event.type === 'conversation:updated' && event.before?.status === 'closed' && event.conversation.team_id
      ? [{ payload: { account_id, conversation_id: event.conversation.id } }]
      : [],
  )
  const accounts = new Set(events.map(({ account_id }) => account_id))
  const concerned = [...accounts].map((account_id) => ({ payload: { account_id } }))
  await jobs.enqueueAll(db, checkReopened, reopened)
  await jobs.enqueueAll(db, handOut, concerned)
}
