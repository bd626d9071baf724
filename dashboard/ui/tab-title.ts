import { useEffect } from 'react'

/** The product's name, from the page's initial title. */
const product = globalThis.document?.title
let screen: string | undefined
let flashed: string | undefined
let count = 0

/**
 * Sets the tab's title to the current page, for screen readers, tab lists and history. Without a name, another
 * component's title is used.
 */
export function useTabTitle(name: string | undefined) {
  useEffect(() => {
    if (name === undefined) return
    screen = name
    show()
    return () => {
      screen = undefined
      show()
    }
  }, [name])
}

/** Puts a number before the title; none for zero. */
export function countInTabTitle(number: number) {
  count = number
  show()
}

/** Temporarily replaces the title, until called without one. */
export function flashTabTitle(text: string | undefined) {
  flashed = text
  show()
}

function show() {
  const title = screen ? `${screen} · ${product}` : product
  document.title = flashed ?? (count > 0 ? `(${count}) ${title}` : title)
}
