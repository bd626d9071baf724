import { BUCKETS, type Bucket, isInBucket } from '#contract/conversations/buckets.ts'
import type { Conversation, ConversationRow } from '#contract/conversations/conversations.ts'
import { isInView } from '#contract/conversations/view-membership.ts'
import type { ConversationView } from '#contract/conversations/views.ts'

/** The part of a saved view that decides what its list shows. */
export type SavedView = Pick<ConversationView, 'id' | 'conditions' | 'sort'>

/** A list of conversations: a bucket, optionally limited to one inbox or one team, or a saved view of all buckets. */
export interface View {
  bucket: Bucket
  saved?: SavedView | undefined
  /** Of what is due, only what is overdue. */
  is_overdue?: boolean | undefined
  inbox_id?: string | undefined
  team_id?: string | undefined
}

export interface ConversationList {
  conversations: Conversation[]
  /** Cursor of the next page; null after the last one. */
  next: string | null
}

/** Whether a list is empty, including pages that are not loaded. */
export function isAllDone(list: ConversationList | undefined): boolean {
  return list?.conversations.length === 0 && list.next === null
}

export function isBucket(name: string | undefined): name is Bucket {
  return name !== undefined && Object.hasOwn(BUCKETS, name)
}

/** The path of a view, or of a conversation in it. */
export function pathOfView(view: View, conversation_id?: string): string {
  const base = basePath(view)
  return conversation_id ? `${base}/${conversation_id}` : base
}

function basePath({ bucket, saved, is_overdue, inbox_id, team_id }: View): string {
  if (saved) return `/conversations/views/${saved.id}`
  if (team_id) return `/teams/${team_id}/conversations`
  if (inbox_id) return `/inboxes/${inbox_id}/conversations`
  return `/conversations/${bucket}${is_overdue ? '/overdue' : ''}`
}

/**
 * Whether a conversation belongs in a list.
 * @param isListed whether it is in the list now: where only the server can tell, it stays as it is until the next load
 */
export function belongs(view: View, conversation: ConversationRow, user_id: number, isListed = true): boolean {
  if (view.saved) return isInSaved(view.saved, conversation, user_id) ?? isListed
  if (view.inbox_id && conversation.inbox_id !== view.inbox_id) return false
  if (view.team_id && conversation.team_id !== view.team_id) return false
  if (view.is_overdue && !isOverdue(conversation)) return false
  return isInBucket(view.bucket, conversation, user_id)
}

function isOverdue({ due_at }: ConversationRow): boolean {
  return due_at !== null && Date.parse(due_at) <= Date.now()
}

function isInSaved({ conditions, sort }: SavedView, conversation: ConversationRow, user_id: number) {
  if (sort === 'due' && !isInBucket('due', conversation, user_id)) return false
  return isInView(conditions, conversation, user_id, Date.now())
}

/** Sorts by latest activity, with a fixed order for ties, as the server does. */
function byActivity(a: ConversationRow, b: ConversationRow): number {
  const difference = Date.parse(b.last_activity_at) - Date.parse(a.last_activity_at)
  return difference || (b.id > a.id ? 1 : b.id < a.id ? -1 : 0)
}

/** The most urgent deadline first, as the server sorts the view of what is due. */
function byDue(a: ConversationRow, b: ConversationRow): number {
  const difference = Date.parse(a.due_at ?? '') - Date.parse(b.due_at ?? '')
  return difference || (a.id > b.id ? 1 : a.id < b.id ? -1 : 0)
}

/** How the server sorts a view's list; by the latest activity if undefined. */
export function sortOf({ bucket, saved }: View): 'due' | undefined {
  return bucket === 'due' || saved?.sort === 'due' ? 'due' : undefined
}

/** The order of a view's list, for inserting into it. */
export function orderOf(view: View): typeof byActivity {
  return sortOf(view) === 'due' ? byDue : byActivity
}

/** The conversation to select when this one leaves the list: the one below, otherwise the one above. */
export function neighbourOf(conversations: Conversation[], id: string): Conversation | undefined {
  const at = conversations.findIndex((conversation) => conversation.id === id)
  return at === -1 ? undefined : (conversations[at + 1] ?? conversations[at - 1])
}
