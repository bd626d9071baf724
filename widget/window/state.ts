import type { VisitorConversation } from '#contract/visitor-conversations.ts'
import type { Appearance } from './appearance/settings.ts'
import type { Claims } from './calls.ts'
import type { ChosenFile } from './outbox/files.ts'
import type { Unsent } from './outbox/outbox.ts'
import type { Connection } from './realtime/connection.ts'
import type { Store } from './store.ts'
import { EMPTY_THREAD, type Thread } from './thread/thread.ts'

/** What is on screen. */
export interface ChatState {
  appearance: Appearance
  thread: Thread
  outbox: Unsent[]
  /** All that the visitor has, the latest first. */
  conversations: VisitorConversation[]
  place: 'thread' | 'list'
  /** Grows each time the visitor turns to another conversation, whose end they want to see. */
  turns: number
  /** The visitor wants an empty page, though older conversations are open. */
  startsNew: boolean
  /** Files that go with the next message. */
  files: ChosenFile[]
  connection: Connection
  isOnline: boolean
  isOpen: boolean
  /** While closed: the page shows a small card with what was missed, or with the greeting. */
  card: 'unseen' | 'greeting' | null
  /** Grows each time a person opens the window, which is when the composer takes the focus. */
  openings: number
  /** Grows each time the draft is changed by something other than the visitor's typing. */
  draftings: number
  /** What is known of the visitor. */
  known: Claims
  /** Grows each time something should be sent before the visitor has said how to reach them. */
  asks: number
  isAgentTyping: boolean
  /** Null until the server has said. */
  agentsOnline: number | null
  /** The server asked to wait until then, in epoch milliseconds. */
  waitUntil: number | null
  /** Nothing of the conversation is known yet, though there is one. */
  isLoading: boolean
}

export type ChatStore = Store<ChatState>

export const FIRST_STATE: ChatState = {
  appearance: {},
  thread: EMPTY_THREAD,
  outbox: [],
  conversations: [],
  place: 'thread',
  turns: 0,
  startsNew: false,
  files: [],
  connection: 'resting',
  isOnline: true,
  isOpen: false,
  card: null,
  openings: 0,
  draftings: 0,
  known: {},
  asks: 0,
  isAgentTyping: false,
  agentsOnline: null,
  waitUntil: null,
  isLoading: false,
}
