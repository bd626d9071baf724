import { useState } from 'react'

/**
 * The state of a dialog that is opened for something. `turn` is its key: each time it opens it starts anew, without what
 * was typed in it before and not saved. It keeps its item while it closes.
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
