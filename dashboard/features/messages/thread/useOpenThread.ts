import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Conversation } from '#contract/conversations.ts'
import { firstUnread, mayBeginEarlier, type Thread } from '../apply-events.ts'
import { type ThreadPosition, threadQuery } from '../thread.ts'

/** One visit to a conversation: which part of it is on screen, and where the unread messages began. */
export interface OpenThread {
  thread: UseQueryResult<Thread>
  place: ThreadPosition
  /** The number of the first unread message when the visit began, null when there was none, undefined until known. */
  unread: number | null | undefined
  /** The message that was looked for. */
  found: number | undefined
  /** Of the newest message that was seen: on screen, or, while what was said has not loaded, in the list from which this was opened. */
  newest_number: number
  /** Leaves the older part for the end of the conversation. */
  toNewest: () => void
}

/**
 * Opens a conversation at a message that was looked for, else at its first unread one, else at its end. What is unread
 * is settled once, before it is marked as read, and stays the same however much is read and written meanwhile.
 */
export function useOpenThread({ id, read, messages }: Conversation, found: number | undefined): OpenThread {
  const client = useQueryClient()
  const [place, setPlace] = useState<ThreadPosition>(found ?? 'newest')
  const [unread, setUnread] = useState<number | null | undefined>(read || found !== undefined ? null : undefined)
  const [listed] = useState(() => messages.at(-1)?.number ?? 0)
  const thread = useQuery(threadQuery(client, id, place))
  if (unread === undefined && thread.data) {
    if (place === 'newest' && mayBeginEarlier(thread.data)) setPlace('unread')
    else setUnread(firstUnread(thread.data) ?? null)
  }
  const newest_number = thread.data ? (thread.data.messages.at(-1)?.number ?? 0) : listed
  return { thread, place, unread, found, newest_number, toNewest: () => setPlace('newest') }
}
