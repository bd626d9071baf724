import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../../feature.ts'
import type { Change } from '../../../platform/db/change.ts'
import { CONVERSATION_EVENTS, type ConversationEvent } from './following.ts'
import { recalculateDeadlines } from './recalculating.ts'
import { updateDeadlines } from './updating.ts'

/** What changes the deadlines of many conversations: policies, working hours, time zone, tags. */
const ACCOUNT_EVENTS = [
  'deadline_policies:updated',
  'account:updated',
  'inbox:updated',
  'inbox:deleted',
  'tag:deleted',
] as const

const FOLLOWED = [...CONVERSATION_EVENTS, ...ACCOUNT_EVENTS]

type FollowedEvent = LoggedEvent<(typeof FOLLOWED)[number]>

/** Times come from the events, so it does not matter when they are read. */
const REST_MS = 500

/** Keeps the deadlines of accounts that have policies. */
export const followConversations = defineConsumer('deadlines.followConversations', {
  of: FOLLOWED,
  restMs: REST_MS,
  // Where the last policy was switched off, what has not ended is still cancelled.
  concerns: sql`exists (select from deadline_policies p where p.account_id = events.account_id and p.is_active)
    or (event ->> 'type' = 'deadline_policies:updated')`,
  jobs: [recalculateDeadlines],
  consume: consumeEvents,
})

async function consumeEvents({ jobs }: Context, change: Change, events: FollowedEvent[]): Promise<void> {
  const byAccount = Map.groupBy(events, ({ account_id }) => account_id)
  for (const account_id of [...byAccount.keys()].sort()) {
    const ofConversations = new Map<string, ConversationEvent[]>()
    for (const { event } of byAccount.get(account_id) ?? []) {
      const id = conversationOf(event)
      if (id) ofConversations.set(id, [...(ofConversations.get(id) ?? []), event as ConversationEvent])
    }
    await updateDeadlines(change, account_id, ofConversations, new Date())
    const isOfAccount = byAccount.get(account_id)?.some(({ event }) => conversationOf(event) === undefined)
    if (isOfAccount) await jobs.enqueue(change.db, recalculateDeadlines, { account_id })
  }
}

function conversationOf(event: FollowedEvent['event']): string | undefined {
  if ('conversation_id' in event) return event.conversation_id
  if ('message' in event) return event.message.conversation_id
  return 'conversation' in event ? event.conversation.id : undefined
}
