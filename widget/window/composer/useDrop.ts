import { type DragEvent, useRef, useState } from 'react'

/** Accepts files dropped anywhere on the window. Otherwise the browser would open them in place of the chat. */
export function useDrop(isWanted: boolean, addFiles: (files: File[]) => void) {
  const [isDragging, setDragging] = useState(false)
  /** Nested elements fire enter and leave events of their own while the pointer moves. */
  const depth = useRef(0)

  function move(event: DragEvent, step: number) {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    depth.current = Math.max(0, depth.current + step)
    setDragging(isWanted && depth.current > 0)
  }

  return {
    isDragging,
    onDragEnter: (event: DragEvent) => move(event, 1),
    onDragOver: (event: DragEvent) => move(event, 0),
    onDragLeave: (event: DragEvent) => move(event, -1),
    onDrop(event: DragEvent) {
      move(event, -depth.current)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (isWanted && files.length > 0) addFiles(files)
    },
  }
}
