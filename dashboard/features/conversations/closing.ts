import { createStore, useStore } from '../../platform/store.ts'

const closing = createStore<ReadonlySet<string>>(new Set())

/** Marks a conversation as about to leave its list. */
export function setClosing(id: string, isClosing: boolean) {
  const next = new Set(closing.get())
  if (isClosing) next.add(id)
  else next.delete(id)
  closing.set(next)
}

/** Those that are about to leave. */
export const readClosing = closing.get

export function useClosing(): ReadonlySet<string> {
  return useStore(closing, (ids) => ids)
}
