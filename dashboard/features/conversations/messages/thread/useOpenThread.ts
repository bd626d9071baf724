import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { firstUnread, mayBeginEarlier, type Thread } from '../apply-events.ts'
import { type ThreadPosition, threadQuery } from '../thread.ts'

/** One visit to a conversation: which part of it is on screen, and where the unread messages began. */
export interface OpenThread {
  thread: UseQueryResult<Thread>
  start: ThreadPosition
  /**
   * The number of the first unread message when the conversation was opened; null if there was none, undefined until
   * known.
   */
  unread: number | null | undefined
  /** The number of the message that was searched for. */
  foundNumber: number | undefined
  /** The number of the newest message seen: on screen, or in the list while the thread is still loading. */
  newest_number: number
  /** Shows the end of the conversation. */
  toNewest: () => void
}

/**
 * Opens a conversation at a searched message, otherwise at the first unread one, otherwise at its end. The first unread
 * message is determined once, before it is marked as read, and stays the same.
 */
export function useOpenThread({ id, read, messages }: Conversation, foundNumber: number | undefined): OpenThread {
  const client = useQueryClient()
  const [start, setStart] = useState<ThreadPosition>(foundNumber ?? 'newest')
  const [unread, setUnread] = useState<number | null | undefined>(read || foundNumber !== undefined ? null : undefined)
  const [listed] = useState(() => messages.at(-1)?.number ?? 0)
  const thread = useQuery(threadQuery(client, id, start))
  if (unread === undefined && thread.data) {
    if (start === 'newest' && mayBeginEarlier(thread.data)) setStart('unread')
    else setUnread(firstUnread(thread.data) ?? null)
  }
  const newest_number = thread.data ? (thread.data.messages.at(-1)?.number ?? 0) : listed
  return { thread, start, unread, foundNumber, newest_number, toNewest: () => setStart('newest') }
}
