import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../../feature.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { countMessages } from './counting.ts'
import { forgetTag, readState, recountMessages } from './recounting.ts'

const FOLLOWED = [
  'message:created',
  'message:deleted',
  'conversation:created',
  'conversation:updated',
  'conversation:tagged',
  'tag:deleted',
  'account:updated',
] as const

/**
 * Reports need not be exact to the second, and counting a conversation once for many messages costs as much as for one.
 */
const REST_MS = 500

type CountedEvent = (typeof FOLLOWED)[number]

/**
 * Keeps the sums up to date for created, changed and deleted data, and recounts an account whose time zone or working
 * hours change.
 */
export const countNewMessages = defineConsumer('reporting.countMessages', {
  of: FOLLOWED,
  restMs: REST_MS,
  jobs: [recountMessages, forgetTag],
  consume: count,
})

async function count({ jobs }: Context, change: Change, events: LoggedEvent<CountedEvent>[]): Promise<void> {
  const conversations = new Map<string, Set<string>>()
  const recounted = new Set<string>()
  for (const { account_id, event } of events) {
    if (event.type === 'account:updated') {
      if (await countsOtherwise(change.db, account_id, event.account)) recounted.add(account_id)
    } else if (event.type === 'tag:deleted') {
      await jobs.enqueue(change.db, forgetTag, { account_id, tag_id: event.tag_id })
    } else {
      conversations.set(account_id, (conversations.get(account_id) ?? new Set()).add(conversationOf(event)))
    }
  }
  // In the same order everywhere, so that servers do not deadlock.
  for (const account_id of [...conversations.keys()].sort()) {
    await countMessages(change.db, account_id, [...(conversations.get(account_id) ?? [])])
  }
  for (const account_id of recounted) await jobs.enqueue(change.db, recountMessages, { account_id })
}

function conversationOf(
  event: Exclude<LoggedEvent<CountedEvent>['event'], { type: 'account:updated' | 'tag:deleted' }>,
): string {
  switch (event.type) {
    case 'message:created':
      return event.message.conversation_id
    case 'conversation:created':
    case 'conversation:updated':
      return event.conversation.id
    default:
      return event.conversation_id
  }
}

type CountedBy = Extract<LoggedEvent['event'], { type: 'account:updated' }>['account']

async function countsOtherwise(db: Db, account_id: string, account: CountedBy): Promise<boolean> {
  const state = await readState(db, account_id)
  if (!state) return false
  const { time_zone, working_hours } = account
  return state.time_zone !== (time_zone ?? 'UTC') || !isDeepStrictEqual(state.working_hours, working_hours)
}
