import { useMemo, useState } from 'react'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { pathOfView, type View } from '../../../features/conversations/conversations/views.ts'

/** The selected conversations of a list. */
export interface Chosen {
  ids: ReadonlySet<string>
  /** The last one selected, from which ranges and Shift steps start. */
  anchor?: string | undefined
}

export const NONE: Chosen = { ids: new Set() }

type Ids = readonly string[]

export function toggle({ ids }: Chosen, id: string): Chosen {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** Selects the range from the anchor to this conversation; without an anchor only this one. */
export function chooseRange({ ids, anchor }: Chosen, list: Ids, id: string): Chosen {
  const from = anchor === undefined ? -1 : list.indexOf(anchor)
  const to = list.indexOf(id)
  if (from === -1 || to === -1) return { ids: new Set([...ids, id]), anchor: id }
  const range = list.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...ids, ...range]), anchor: id }
}

/** A step with Shift: adds the next conversation, or removes the current one when going back. */
export function extend({ ids, anchor }: Chosen, list: Ids, start: string | undefined, step: 1 | -1): Chosen {
  const from = list.indexOf(anchor ?? start ?? '')
  const current = list[from]
  const target = current === undefined ? list[step === 1 ? 0 : list.length - 1] : list[from + step]
  if (target === undefined)
    return current === undefined ? { ids } : { ids: new Set([...ids, current]), anchor: current }
  const next = new Set(ids)
  if (current !== undefined && next.has(current) && next.has(target)) next.delete(current)
  else for (const id of [current, target]) if (id !== undefined) next.add(id)
  return { ids: next, anchor: target }
}

/** The selection in a view. Changing the view clears it; conversations that leave the list are removed from it. */
export function useSelection(view: View, conversations: readonly Conversation[]) {
  const path = pathOfView(view)
  const [state, setState] = useState<{ path: string; chosen: Chosen; isSelecting: boolean }>()
  const chosen = state?.path === path ? state.chosen : NONE
  const isSelecting = state?.path === path && state.isSelecting
  return useMemo(() => {
    const listedIds = new Set(conversations.map(({ id }) => id))
    const ids = new Set([...chosen.ids].filter((id) => listedIds.has(id)))
    return {
      ids,
      anchor: chosen.anchor,
      /** Shows checkboxes without a selection, for touch screens, where they do not appear on hover. */
      isSelecting: isSelecting || ids.size > 0,
      change: (work: (chosen: Chosen) => Chosen) =>
        setState((before) => ({
          path,
          chosen: work(before?.path === path ? before.chosen : NONE),
          isSelecting: before?.path === path && before.isSelecting,
        })),
      select: (isSelecting: boolean) => setState({ path, chosen: NONE, isSelecting }),
    }
  }, [conversations, chosen, isSelecting, path])
}

export type Selection = ReturnType<typeof useSelection>
