import { createStore, useStore } from '../../../platform/store.ts'

const closing = createStore<ReadonlySet<string>>(new Set())

/** Marks a conversation while its closing animation runs. */
export function setClosing(id: string, isClosing: boolean) {
  const next = new Set(closing.get())
  if (isClosing) next.add(id)
  else next.delete(id)
  closing.set(next)
}

/** Ids of conversations whose closing animation runs. */
export const readClosing = closing.get

export function useClosing(): ReadonlySet<string> {
  return useStore(closing, (ids) => ids)
}
