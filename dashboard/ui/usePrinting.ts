import { useSyncExternalStore } from 'react'

const paper = globalThis.matchMedia?.('print')
let isBetween = false

function subscribe(listener: () => void) {
  // Firefox prints a copy of the page, so that the query never matches; others print without the events.
  const set = ({ type }: Event) => {
    isBetween = type === 'beforeprint'
    listener()
  }
  addEventListener('beforeprint', set)
  addEventListener('afterprint', set)
  paper?.addEventListener('change', listener)
  return () => {
    removeEventListener('beforeprint', set)
    removeEventListener('afterprint', set)
    paper?.removeEventListener('change', listener)
  }
}

/** Whether the page is being printed: lists that only draw what is visible then draw everything. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isBetween || !!paper?.matches)
}
