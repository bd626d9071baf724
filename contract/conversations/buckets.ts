import type { ConversationRow } from './conversations.ts'

/** The views of the inbox, in the order of the sidebar. Snoozed conversations are only in their own. */
export const BUCKETS = {
  all: { title: 'All conversations', query: { status: 'open', snoozed: false } },
  me: { title: 'Assigned to me', query: { status: 'open', snoozed: false, assignee_id: 'me' } },
  mentions: { title: 'Mentions', query: { status: 'open', snoozed: false, mentioning: 'me' } },
  unread: { title: 'All unread', query: { status: 'open', snoozed: false, read: false } },
  unassigned: { title: 'Unassigned', query: { status: 'open', snoozed: false, assignee_id: '' } },
  priority: { title: 'Prioritized', query: { status: 'open', snoozed: false, priority: 'priority' } },
  due: { title: 'Due first', query: { status: 'open', snoozed: false, is_due: true } },
  snoozed: { title: 'Snoozed', query: { status: 'open', snoozed: true } },
  closed: { title: 'Closed', query: { status: 'closed' } },
} as const

/** The name of a bucket, as used in addresses. */
export type Bucket = keyof typeof BUCKETS

interface Viewed extends ConversationRow {
  mentions?: { user_id: number }[]
}

/** Whether a conversation belongs in a bucket for one user. Archived ones are in none. */
export function isInBucket(bucket: Bucket, conversation: Viewed, user_id: number): boolean {
  if (conversation.archived_at) return false
  if (bucket === 'closed') return conversation.status === 'closed'
  if (conversation.status !== 'open') return false
  if (bucket === 'snoozed') return conversation.snoozed_at !== null
  if (conversation.snoozed_at !== null) return false
  switch (bucket) {
    case 'all':
      return true
    case 'me':
      return conversation.assignee_id === user_id
    case 'mentions':
      return (
        conversation.unseen_mention_user_ids.includes(user_id) ||
        !!conversation.mentions?.some((mention) => mention.user_id === user_id)
      )
    case 'unread':
      return !conversation.read
    case 'unassigned':
      return conversation.assignee_id === null
    case 'due':
      return conversation.due_at !== null
    case 'priority':
      return conversation.priority === 'priority'
  }
}

/** Unread for this user: nobody has read it, or they were mentioned and have not looked. */
export function isUnread(conversation: ConversationRow, user_id: number): boolean {
  return !conversation.read || conversation.unseen_mention_user_ids.includes(user_id)
}
