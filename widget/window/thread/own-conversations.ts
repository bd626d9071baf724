import type { VisitorMessage } from '#contract/conversations/messages.ts'
import type { VisitorConversation } from '#contract/conversations/visitor-conversations.ts'
import type { VisitorEvent } from '#contract/visitor-events.ts'

/** Applies an event to the list of the visitor's conversations. Returns the same array if nothing changes. */
export function applyToOwn(rows: VisitorConversation[], received: VisitorEvent): VisitorConversation[] {
  switch (received.event) {
    case 'shout': {
      const message = received.payload
      if (message.private) return rows
      return change(rows, message.conversation_id, ({ last_message, unseen, ...row }) =>
        last_message && last_message.number >= message.number
          ? undefined
          : { ...row, last_message: message, unseen: unseen + (message.user_id !== null && !message.seen_at ? 1 : 0) },
      )
    }
    case 'message:updated': {
      const message = received.payload
      return change(rows, message.conversation_id, (row) =>
        row.last_message?.id === message.id ? { ...row, last_message: message } : undefined,
      )
    }
    case 'messages:seen': {
      const { conversation_id, up_to_number } = received.payload
      // When events are applied a second time, a newer message of the team may be there already.
      const isOlder = (last: VisitorMessage | null) => !!last?.user_id && last.number > up_to_number
      return change(rows, conversation_id, (row) =>
        row.unseen > 0 && !isOlder(row.last_message) ? { ...row, unseen: 0 } : undefined,
      )
    }
    case 'conversation:status': {
      const { id, status, closed_at } = received.payload
      return change(rows, id, (row) => (row.status === status ? undefined : { ...row, status, closed_at }))
    }
    case 'conversation:rated':
      return change(rows, received.payload.conversation_id, (row) => ({ ...row, rating: received.payload }))
    default:
      return rows
  }
}

/** The number of unseen messages in conversations other than the one on screen. */
export function countElsewhere(rows: readonly VisitorConversation[], shown: string | null): number {
  return rows.reduce((sum, { id, unseen }) => (id === shown ? sum : sum + unseen), 0)
}

function change(
  rows: VisitorConversation[],
  id: string,
  become: (row: VisitorConversation) => VisitorConversation | undefined,
): VisitorConversation[] {
  const row = rows.find((item) => item.id === id)
  const next = row && become(row)
  return next ? rows.map((item) => (item === row ? next : item)) : rows
}
