import { useState } from 'react'

/**
 * The state of a dialog about an item. `turn` is its key: each time it opens, it starts without earlier unsaved input.
 * The item stays during the exit animation.
 */
export function useDialog<Item = undefined>() {
  const [{ item, turn, isOpen }, setState] = useState<{ item?: Item; turn: number; isOpen: boolean }>({
    turn: 0,
    isOpen: false,
  })
  return {
    item,
    turn,
    isOpen,
    open: (...[next]: Item extends undefined ? [] : [Item]) =>
      setState((before) => ({ ...(next !== undefined && { item: next }), turn: before.turn + 1, isOpen: true })),
    close: () => setState((before) => ({ ...before, isOpen: false })),
  }
}
