import { useEffect } from 'react'

/** The product's name, as the page came with it. */
const product = globalThis.document?.title
let screen: string | undefined
let flashed: string | undefined

/**
 * Names the tab after what is on screen: for those who hear where they are, and for whoever looks for one of many tabs or
 * walks back through what was open. Without a name, what else is on screen names it.
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

/** Shows other words in the tab's place, until it is called without any. */
export function flashTabTitle(words: string | undefined) {
  flashed = words
  show()
}

function show() {
  document.title = flashed ?? (screen ? `${screen} · ${product}` : product)
}
