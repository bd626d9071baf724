import type { QueryClient } from '@tanstack/react-query'
import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'
import type { ClientEvent } from '#contract/events.ts'
import { logError } from '../../../../platform/http/errors.ts'
import { withTexts } from '../../../../platform/texts.ts'

const KEY = ['scheduled-messages'] as const

export const scheduledKeys = {
  lists: [...KEY, 'list'] as const,
  of: (conversation_id: string) => [...KEY, 'of', conversation_id] as const,
}

/** Shows the state of a scheduled message wherever it is on screen. */
export function showScheduled(client: QueryClient, scheduled: ScheduledMessage) {
  client.setQueryData<ScheduledMessage[]>(scheduledKeys.of(scheduled.conversation_id), (list) => {
    const others = list?.filter(({ id }) => id !== scheduled.id) ?? []
    return list && [...others, scheduled].sort((a, b) => Date.parse(a.send_at) - Date.parse(b.send_at))
  })
  client.invalidateQueries({ queryKey: scheduledKeys.lists })
}

/** Removes a scheduled message that was cancelled, or became a message. */
export function dropScheduled(client: QueryClient, { id }: { id: string }) {
  for (const [key, list] of client.getQueriesData<ScheduledMessage[]>({ queryKey: KEY })) {
    if (list?.some((message) => message.id === id)) {
      client.setQueryData<ScheduledMessage[]>(
        key,
        list.filter((message) => message.id !== id),
      )
    }
  }
}

/** A reply of this user was accepted by the server, which sends it later, or in some seconds. */
export function acceptScheduled(client: QueryClient, scheduled: ScheduledMessage) {
  showScheduled(client, scheduled)
  if (!scheduled.is_undo) return
  loadNotices()
    .then(({ offerUndo }) => offerUndo(client, scheduled))
    .catch((error) => logError('Undo not offered', error))
}

export function applyScheduledEvent(client: QueryClient, { event, payload }: ClientEvent, user_id: number) {
  if (event === 'shout') dropScheduled(client, payload)
  if (event === 'scheduled_message:removed') dropScheduled(client, payload)
  if (event !== 'scheduled_message:updated') return
  showScheduled(client, payload)
  if (payload.held_reason === null || payload.user_id !== user_id) return
  loadNotices()
    .then(({ tellHeld }) => tellHeld(payload))
    .catch((error) => logError('Notice not shown', error))
}

const loadNotices = withTexts(['scheduled-messages'], () => import('./notices.ts'))
