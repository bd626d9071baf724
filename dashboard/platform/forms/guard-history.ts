import type { ComponentProps } from 'react'
import type { unstable_HistoryRouter as HistoryRouter, To } from 'react-router'
import { askToLeave, hasUnsaved } from '../../ui/unsaved.ts'

/** The router's history. */
export type History = ComponentProps<typeof HistoryRouter>['history']

/**
 * Asks before a form with unsaved text is left by a link, a shortcut or the browser's own buttons. Returns a function
 * that ends this.
 */
export function guardHistory(history: History): () => void {
  const { push, replace } = history
  let index = readIndex(window.history.state)
  let isAllowed = false
  let isReturning = false

  async function leave(go: () => void) {
    if (hasUnsaved() && !(await askToLeave())) return
    go()
    index = readIndex(window.history.state)
  }
  history.push = (...to) => void leave(() => push(...to))
  history.replace = (...to) => {
    // The page notes its own state in its address, such as a filter: nothing is left.
    if (pathOf(to[0]) === location.pathname) replace(...to)
    else void leave(() => replace(...to))
  }

  /** The browser has already moved, so it is sent back while the question is open. */
  function pop(event: PopStateEvent) {
    const steps = readIndex(event.state) - index
    if (isReturning) {
      isReturning = false
      return event.stopImmediatePropagation()
    }
    if (!steps || isAllowed || !hasUnsaved()) {
      isAllowed = false
      index = readIndex(event.state)
      return
    }
    event.stopImmediatePropagation()
    isReturning = true
    window.history.go(-steps)
    askToLeave().then((mayLeave) => {
      isAllowed = mayLeave
      if (mayLeave) window.history.go(steps)
    })
  }
  // Before the router's own listener.
  addEventListener('popstate', pop, { capture: true })
  return () => {
    removeEventListener('popstate', pop, { capture: true })
    Object.assign(history, { push, replace })
  }
}

function pathOf(to: To): string | undefined {
  return typeof to === 'string' ? new URL(to, location.href).pathname : to.pathname
}

/** The position that the router notes in each entry; entries that others made have none. */
function readIndex(state: unknown): number {
  return (state as { idx?: number } | null)?.idx ?? Number.NaN
}
