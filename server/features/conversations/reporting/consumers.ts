import type { Event } from '#contract/events.ts'
import type { Context } from '../../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../../feature.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { countMessages } from './counting.ts'
import { recountMessages } from './recounting.ts'

const FOLLOWED = ['message:created', 'message:deleted', 'messages:moved', 'account:updated'] as const

/**
 * Reports need not be exact to the second, and counting a conversation once for many messages costs as much as for one.
 */
const REST_MS = 500

/** Counts created and deleted messages, and recounts an account whose time zone changes. */
export const countNewMessages = defineConsumer('reporting.countMessages', {
  of: FOLLOWED,
  restMs: REST_MS,
  jobs: [recountMessages],
  consume: count,
})

async function count(
  { jobs }: Context,
  change: Change,
  events: LoggedEvent<(typeof FOLLOWED)[number]>[],
): Promise<void> {
  const conversations = new Map<string, Set<string>>()
  const recounted = new Set<string>()
  for (const { account_id, event } of events) {
    if (event.type === 'account:updated') {
      if (await isCountedElsewhere(change.db, account_id, event.account.time_zone)) recounted.add(account_id)
    } else {
      const ids = conversations.get(account_id) ?? new Set()
      for (const id of conversationsOf(event)) ids.add(id)
      conversations.set(account_id, ids)
    }
  }
  // In the same order everywhere, so that servers do not deadlock.
  for (const account_id of [...conversations.keys()].sort()) {
    await countMessages(change.db, account_id, [...(conversations.get(account_id) ?? [])])
  }
  for (const account_id of recounted) await jobs.enqueue(change.db, recountMessages, { account_id })
}

/** The conversations that have other messages since an event. */
function conversationsOf(event: Extract<Event, { type: 'message:created' | 'message:deleted' | 'messages:moved' }>) {
  if (event.type === 'message:created') return [event.message.conversation_id]
  if (event.type === 'message:deleted') return [event.conversation_id]
  return [event.from.id, event.to.id]
}

/** Whether an account is counted in another time zone than this one, its own. */
async function isCountedElsewhere(db: Db, account_id: string, time_zone: string | null): Promise<boolean> {
  const row = await ofAccount(db, account_id)
    .selectFrom('reporting_time_zones')
    .select('chosen_time_zone')
    .executeTakeFirst()
  return row !== undefined && row.chosen_time_zone !== time_zone
}
