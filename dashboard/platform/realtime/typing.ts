import { createStore, useStore } from '../store.ts'

/** Whoever types says so again within this time; after it they have stopped, whether or not they said so. */
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

/** Takes note that somebody types, or has stopped. */
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

/** Who types in a conversation at this moment. */
export function useTypists(conversation_id: string): readonly Typing[] {
  return useStore(typists, (all) => all.get(conversation_id) ?? NOBODY)
}

function nameOf({ conversation_id, user_id, customer_id }: Typing): string {
  return `${conversation_id}:${user_id ?? customer_id ?? ''}`
}
