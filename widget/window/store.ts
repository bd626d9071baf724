/** A minimal store with immutable state: each change makes a new object. */
export function createStore<State extends object>(initial: State) {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,

    update(changes: Partial<State>) {
      state = { ...state, ...changes }
      for (const listener of listeners) listener()
    },

    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export type Store<State extends object> = ReturnType<typeof createStore<State>>
