import type { ChatStore } from '../state.ts'

const TELL_EVERY_MS = 2000
/** A typist whose last word was lost with the connection does not type for ever. */
const ENDS_MS = 6000

/** Shows that somebody of the team is typing, for as long as that is news. */
export function createTypingSign(store: ChatStore) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (isAgentTyping: boolean) => {
    clearTimeout(timer)
    if (isAgentTyping) timer = setTimeout(() => store.update({ isAgentTyping: false }), ENDS_MS)
    if (isAgentTyping !== store.get().isAgentTyping) store.update({ isAgentTyping })
  }
}

/** Tells the team that the visitor is typing, now and then, and when they stop. */
export function createTypingTeller(tell: (typing: boolean) => void) {
  let toldAt = 0
  return (text: string) => {
    const now = Date.now()
    if (text ? now - toldAt < TELL_EVERY_MS : toldAt === 0) return
    toldAt = text ? now : 0
    tell(!!text)
  }
}
