import { useSyncExternalStore } from 'react'

export interface Store<State> {
  get(): State
  /** Replaces the state, and tells whoever reads it; not when it is the same. */
  set(next: State): void
  /** Calls back after each change. Returns how to stop. */
  subscribe(listener: () => void): () => void
}

/** State of the browser that lives outside React. What the server owns is in the query cache instead. */
export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set(next) {
      if (Object.is(next, state)) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A part of a store, read anew after each change. It has to be the same value as long as nothing of it changed. */
export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.get()))
}
