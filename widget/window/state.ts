import type { VisitorConversation } from '#contract/conversations/visitor-conversations.ts'
import type { Appearance } from './appearance/settings.ts'
import type { Claims } from './calls.ts'
import type { ChosenFile } from './outbox/files.ts'
import type { Unsent } from './outbox/outbox.ts'
import type { Connection } from './realtime/connection.ts'
import type { Store } from './store.ts'
import { EMPTY_THREAD, type Thread } from './thread/thread.ts'

export interface ChatState {
  appearance: Appearance
  thread: Thread
  outbox: Unsent[]
  /** All of the visitor's conversations, the latest first. */
  conversations: VisitorConversation[]
  view: 'thread' | 'list'
  /** Grows with each switch to another conversation, so that its end is scrolled into view. */
  turns: number
  /** The visitor has asked for a new conversation, though older ones are open. */
  startsNew: boolean
  /** Files attached to the next message. */
  files: ChosenFile[]
  connection: Connection
  isOnline: boolean
  isOpen: boolean
  /** The card that the page shows while the window is closed. */
  card: 'unseen' | 'greeting' | null
  /** Grows each time a person opens the window, so that the composer takes the focus. */
  openings: number
  /** Grows each time the draft is changed by something other than typing. */
  draftings: number
  /** What is known about the visitor. */
  claims: Claims
  /** Grows each time something should be sent while required details are missing. */
  asks: number
  isAgentTyping: boolean
  /** Null until known. */
  agentsOnline: number | null
  /** The server asked to wait until this time, in epoch milliseconds. */
  waitUntil: number | null
  /** There is a conversation, but none of it is loaded yet. */
  isLoading: boolean
}

export type ChatStore = Store<ChatState>

export const FIRST_STATE: ChatState = {
  appearance: {},
  thread: EMPTY_THREAD,
  outbox: [],
  conversations: [],
  view: 'thread',
  turns: 0,
  startsNew: false,
  files: [],
  connection: 'resting',
  isOnline: true,
  isOpen: false,
  card: null,
  openings: 0,
  draftings: 0,
  claims: {},
  asks: 0,
  isAgentTyping: false,
  agentsOnline: null,
  waitUntil: null,
  isLoading: false,
}
