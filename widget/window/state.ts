import type { Connection } from './live.ts'
import type { Look } from './look.ts'
import type { Unsent } from './outbox.ts'
import type { Store } from './store.ts'
import { EMPTY_THREAD, type Thread } from './thread.ts'

/** What is on screen. */
export interface ChatState {
  look: Look
  thread: Thread
  outbox: Unsent[]
  connection: Connection
  isOnline: boolean
  isOpen: boolean
  /** Grows each time a person opens the window, which is when the composer takes the focus. */
  openings: number
  isAgentTyping: boolean
  agentsOnline: number
  /** The server asked to wait until then, in epoch milliseconds. */
  waitUntil: number | null
  /** Nothing of the conversation is known yet, though there is one. */
  isLoading: boolean
}

export type ChatStore = Store<ChatState>

export const FIRST_STATE: ChatState = {
  look: {},
  thread: EMPTY_THREAD,
  outbox: [],
  connection: 'resting',
  isOnline: true,
  isOpen: false,
  openings: 0,
  isAgentTyping: false,
  agentsOnline: 0,
  waitUntil: null,
  isLoading: false,
}
