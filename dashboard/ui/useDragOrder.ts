import { type CSSProperties, type PointerEvent, useEffect, useRef, useState } from 'react'

interface Drag {
  id: string
  /** The pointer that drags; others are ignored. */
  pointer: number
  /** Where the pointer was pressed, from the top of the list, which may be scrolled meanwhile. */
  pressed: number
  /** How far the entry was dragged. */
  by: number
  /** The entries as they lay when it began. */
  boxes: { middle: number; height: number }[]
  from: number
  to: number
}

/**
 * Lets the entries of a list be dragged into another order by a handle, with mouse, pen or finger. While one is dragged, the
 * others make room; Escape puts it back. Keyboards need another way, such as buttons.
 * @param ids the entries in their order
 * @param move puts an entry at another index of the list
 */
export function useDragOrder<List extends HTMLElement>(ids: readonly string[], move: (id: string, to: number) => void) {
  const list = useRef<List>(null)
  const [drag, setDrag] = useState<Drag>()
  const top = () => list.current?.getBoundingClientRect().top ?? 0
  const isDragging = drag !== undefined
  useEffect(() => {
    if (!isDragging) return
    const putBack = (event: KeyboardEvent) => event.key === 'Escape' && setDrag(undefined)
    addEventListener('keydown', putBack)
    return () => removeEventListener('keydown', putBack)
  }, [isDragging])

  function begin(event: PointerEvent<HTMLElement>, id: string) {
    const from = ids.indexOf(id)
    if (drag || event.button !== 0 || !list.current || from === -1) return
    // The handle receives what the pointer does elsewhere; text is not selected.
    event.currentTarget.setPointerCapture(event.pointerId)
    event.preventDefault()
    const boxes = [...list.current.children].map((entry) => {
      const box = entry.getBoundingClientRect()
      return { middle: box.top - top() + box.height / 2, height: box.height }
    })
    setDrag({ id, pointer: event.pointerId, pressed: event.clientY - top(), by: 0, boxes, from, to: from })
  }

  function trackPointer({ pointerId, clientY }: PointerEvent) {
    if (drag?.pointer !== pointerId) return
    const by = clientY - top() - drag.pressed
    const at = (drag.boxes[drag.from]?.middle ?? 0) + by
    const to = drag.boxes.filter(({ middle }, index) => index !== drag.from && middle < at).length
    // The list scrolls with the entry.
    if (to !== drag.to) list.current?.children[to]?.scrollIntoView({ block: 'nearest' })
    setDrag({ ...drag, by, to })
  }

  function drop({ pointerId }: PointerEvent) {
    if (drag?.pointer !== pointerId) return
    setDrag(undefined)
    if (drag.to !== drag.from && ids.includes(drag.id)) move(drag.id, drag.to)
  }

  /** What the entry at an index, and its handle, need. */
  function entry(id: string, at: number) {
    const style: CSSProperties | undefined = drag && { translate: `0 ${shiftOf(drag, id, at)}px` }
    return {
      style,
      isDragged: drag?.id === id,
      handle: {
        onPointerDown: (event: PointerEvent<HTMLElement>) => begin(event, id),
        onPointerMove: trackPointer,
        onPointerUp: drop,
        onPointerCancel: ({ pointerId }: PointerEvent) => drag?.pointer === pointerId && setDrag(undefined),
      },
    }
  }
  return { list, entry }
}

export type DragEntry = ReturnType<ReturnType<typeof useDragOrder>['entry']>

/** How far an entry is shown from where it lies. */
function shiftOf({ id: dragged, by, boxes, from, to }: Drag, id: string, at: number): number {
  if (id === dragged) return by
  const room = boxes[from]?.height ?? 0
  if (at > from && at <= to) return -room
  return at < from && at >= to ? room : 0
}
