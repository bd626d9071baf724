import type { Conversation, Tag } from '#contract/conversations.ts'

/** What can be done in the inbox while it is on screen. */
export interface InboxOnScreen {
  /** Those that an action concerns: the chosen ones, else the one that is open. */
  targets: readonly Conversation[]
  /** The conversation that is open. */
  current: Conversation | undefined
  isChoosing: boolean
  move(step: 1 | -1): void
  choose(): void
  extend(step: 1 | -1): void
  chooseNone(): void
  /** These three go on to the next conversation. Without a list they concern the targets. */
  close(list?: readonly Conversation[]): void
  archive(list?: readonly Conversation[]): void
  /** Until a moment; null waits for the customer. */
  snooze(until: string | null, list?: readonly Conversation[]): void
  reopen(): void
  setPriority(priority: Conversation['priority']): void
  assign(user_id: number | null): void
  tag(tag: Tag): void
  markUnread(): void
  wake(): void
  write(type: 'reply' | 'note'): void
  search(): void
}

let read: (() => InboxOnScreen) | undefined

/** The inbox registers its commands while it is on screen. Returns how to unregister them. */
export function offerInboxCommands(hands: () => InboxOnScreen): () => void {
  read = hands
  return () => {
    if (read === hands) read = undefined
  }
}

/** What the inbox offers at this moment; undefined on other screens. */
export function readInbox(): InboxOnScreen | undefined {
  return read?.()
}
