import type { ChatStore } from '../state.ts'

const SEND_EVERY_MS = 2000
/** Ends the typing indicator when the event that would end it was lost. */
const ENDS_MS = 6000

/** Shows the team's typing indicator; it ends by itself. */
export function createTypingSign(store: ChatStore) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (isAgentTyping: boolean) => {
    clearTimeout(timer)
    if (isAgentTyping) timer = setTimeout(() => store.update({ isAgentTyping: false }), ENDS_MS)
    if (isAgentTyping !== store.get().isAgentTyping) store.update({ isAgentTyping })
  }
}

/** Sends the visitor's typing state, at most every two seconds, and once when they stop. */
export function createTypingSender(send: (typing: boolean) => void) {
  let sentAt = 0
  return (text: string) => {
    const now = Date.now()
    if (text ? now - sentAt < SEND_EVERY_MS : sentAt === 0) return
    sentAt = text ? now : 0
    send(!!text)
  }
}
