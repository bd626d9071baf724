import type { Conversation, Tag } from '#contract/conversations/conversations.ts'

/** Inbox commands, available while it is on screen. */
export interface InboxOnScreen {
  /** The conversations that an action changes: the selected ones, otherwise the open one. */
  targets: readonly Conversation[]
  /** The open conversation. */
  current: Conversation | undefined
  isChoosing: boolean
  move(step: 1 | -1): void
  choose(): void
  extend(step: 1 | -1): void
  chooseNone(): void
  /** These three move on to the next conversation. Without a list they change the targets. */
  close(list?: readonly Conversation[]): void
  archive(list?: readonly Conversation[]): void
  /** Snoozes until a time; null until the customer replies. */
  snooze(until: string | null, list?: readonly Conversation[]): void
  reopen(): void
  setPriority(priority: Conversation['priority']): void
  assign(user_id: number | null): void
  moveToTeam(team_id: string): void
  tag(tag: Tag): void
  markUnread(): void
  wake(): void
  write(type: 'reply' | 'note'): void
  search(): void
}

let read: (() => InboxOnScreen) | undefined

/** Registers the inbox's commands while it is on screen. Returns a function that unregisters them. */
export function offerInboxCommands(commands: () => InboxOnScreen): () => void {
  read = commands
  return () => {
    if (read === commands) read = undefined
  }
}

/** The current inbox commands; undefined on other screens. */
export function readInbox(): InboxOnScreen | undefined {
  return read?.()
}
