import { BUCKETS, type Bucket, isInBucket } from '#contract/buckets.ts'
import type { Conversation, ConversationRow } from '#contract/conversations.ts'

/** One list of conversations: a bucket, perhaps of one inbox only. */
export interface View {
  bucket: Bucket
  inbox_id?: string | undefined
}

export interface ConversationList {
  conversations: Conversation[]
  /** Cursor of the next page, null when everything is here. */
  next: string | null
}

/** Whether there is nothing in a list, not even on pages that have still to come. */
export function isAllDone(list: ConversationList | undefined): boolean {
  return list?.conversations.length === 0 && list.next === null
}

export function isBucket(name: string | undefined): name is Bucket {
  return name !== undefined && Object.hasOwn(BUCKETS, name)
}

/** Where a view, or one conversation in it, lives. */
export function pathOfView(view: View, conversation_id?: string): string {
  const base = view.inbox_id ? `/inboxes/${view.inbox_id}/conversations` : `/conversations/${view.bucket}`
  return conversation_id ? `${base}/${conversation_id}` : base
}

/** Whether a conversation belongs in a view. */
export function belongs(view: View, conversation: ConversationRow, user_id: number): boolean {
  if (view.inbox_id && conversation.inbox_id !== view.inbox_id) return false
  return isInBucket(view.bucket, conversation, user_id)
}

/** Latest activity first, and a fixed order among equals: the order of the server's pages. */
export function byActivity(one: ConversationRow, other: ConversationRow): number {
  const difference = Date.parse(other.last_activity_at) - Date.parse(one.last_activity_at)
  return difference || (other.id > one.id ? 1 : other.id < one.id ? -1 : 0)
}

/** The conversation that is selected once this one leaves the list: the one below, else the one above. */
export function neighbourOf(conversations: Conversation[], id: string): Conversation | undefined {
  const at = conversations.findIndex((conversation) => conversation.id === id)
  return at === -1 ? undefined : (conversations[at + 1] ?? conversations[at - 1])
}
