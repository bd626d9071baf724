import type { KeyboardEvent } from 'react'

/**
 * Arrow keys move from the search box through the elements marked `data-hit` in the same area, and back. Enter in the
 * box opens the first one. Escape returns to the box.
 */
export function moveBetweenHits(event: KeyboardEvent<HTMLElement>) {
  if (event.nativeEvent.isComposing || event.metaKey || event.ctrlKey || event.altKey) return
  const box = event.currentTarget.querySelector<HTMLElement>('input[type="search"]')
  const hits = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-hit]')]
  const at = hits.indexOf(document.activeElement as HTMLElement)
  const isInBox = document.activeElement === box
  if (!box || hits.length === 0 || (at === -1 && !isInBox)) return
  if (event.key === 'ArrowDown') hits[at + 1]?.focus()
  else if (event.key === 'ArrowUp' && at !== -1) (hits[at - 1] ?? box).focus()
  else if (event.key === 'Enter' && isInBox) hits.find((hit) => hit.tagName === 'A')?.click()
  else if (event.key === 'Escape' && at !== -1) box.focus()
  else return
  event.preventDefault()
}
