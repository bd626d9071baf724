import type { QueryClient } from '@tanstack/react-query'
import { messages } from '#contract/conversations/messages.ts'
import type { ClientEvent } from '#contract/events.ts'
import { call } from '../../../platform/http/api.ts'
import { logError } from '../../../platform/http/errors.ts'
import { findConversation } from '../conversations/cache.ts'

/** The conversations that the assistant hands over to the team. To be called before the events are applied. */
export function listHandedOver(client: QueryClient, events: ClientEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.event !== 'conversation:updated') return []
    const { id, updates } = event.payload
    const isHandedOver = updates.assistant === 'handed_over' && !updates.read
    return isHandedOver && findConversation(client, id)?.assistant === 'answering' ? [id] : []
  })
}

/** What their customers wrote last, as if it had just arrived: it was not announced while the assistant answered. */
export async function readHandedOver(ids: string[]): Promise<ClientEvent[]> {
  try {
    const pages = await Promise.all(
      ids.map((conversation_id) => call(messages.list, { query: { conversation_id, private: false, limit: 10 } })),
    )
    return pages.flatMap(({ data }) => {
      const newest = data.find(({ customer_id }) => customer_id !== null)
      return newest ? [{ event: 'shout' as const, payload: newest }] : []
    })
  } catch (error) {
    logError('Notification not shown', error)
    return []
  }
}
