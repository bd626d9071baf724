import { createStore, useStore } from '../store.ts'

/** Clients repeat the typing event within this time. After it, typing counts as ended even without an event. */
const EXPIRES_MS = 6_000

export interface Typing {
  conversation_id: string
  user_id?: number | null
  customer_id?: string | null
  typing: boolean
}

const NOBODY: readonly Typing[] = []
const typists = createStore<ReadonlyMap<string, readonly Typing[]>>(new Map())
const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** Applies a typing event. */
export function applyTyping(received: Typing) {
  const key = nameOf(received)
  clearTimeout(timers.get(key))
  timers.delete(key)
  const others = (typists.get().get(received.conversation_id) ?? NOBODY).filter((other) => nameOf(other) !== key)
  typists.set(new Map(typists.get()).set(received.conversation_id, received.typing ? [...others, received] : others))
  if (received.typing)
    timers.set(
      key,
      setTimeout(() => applyTyping({ ...received, typing: false }), EXPIRES_MS),
    )
}

/** Who is typing in a conversation. */
export function useTypists(conversation_id: string): readonly Typing[] {
  return useStore(typists, (all) => all.get(conversation_id) ?? NOBODY)
}

function nameOf({ conversation_id, user_id, customer_id }: Typing): string {
  return `${conversation_id}:${user_id ?? customer_id ?? ''}`
}
