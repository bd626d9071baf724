import type { ChatStore } from '../state.ts'

const TELL_EVERY_MS = 2000
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
export function createTypingTeller(tell: (typing: boolean) => void) {
  let toldAt = 0
  return (text: string) => {
    const now = Date.now()
    if (text ? now - toldAt < TELL_EVERY_MS : toldAt === 0) return
    toldAt = text ? now : 0
    tell(!!text)
  }
}
