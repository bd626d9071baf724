import type { QueryClient } from '@tanstack/react-query'
import { t } from 'i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { displayName } from '#contract/customers/customers.ts'
import type { ClientEvent } from '#contract/events.ts'
import { notify } from '../../../ui/notices.ts'
import { findConversation } from '../conversations/cache.ts'
import { viewedId } from '../conversations/viewing.ts'

/**
 * Conversations that events assign to this user. To be called before the events are applied. The user's own assignments
 * are not included, because they are already shown optimistically.
 */
export function listAssigned(client: QueryClient, events: ClientEvent[], user_id: number): Conversation[] {
  return events.flatMap((event) => {
    if (event.event !== 'conversation:updated' || event.payload.updates.assignee_id !== user_id) return []
    const before = findConversation(client, event.payload.id)
    return before && before.assignee_id !== user_id && before.status === 'open' ? [before] : []
  })
}

/** Notifies the user of conversations that colleagues have assigned to them. */
export function notifyAssigned(assigned: Conversation[], open: (path: string) => void) {
  for (const { id, customer } of assigned) {
    if (viewedId() === id) continue
    notify({
      kind: 'info',
      key: `news of ${id}`,
      title: t('notifications.assigned', { name: displayName(customer) }),
      action: { label: t('notifications.view'), run: () => open(`/conversations/me/${id}`) },
    })
  }
}
