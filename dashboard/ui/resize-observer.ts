/**
 * Makes `ResizeObserver` leave out reports of an empty box for elements that have a size.
 *
 * Safari's engine makes them for elements that were inserted while a style sheet was loading, which it does not lay out
 * until then; it reports their size once it has. A virtual list that believes such a report has no height, so it shows
 * no lines, and never measures them again. Lists take the observer from the window, so it is replaced there, once.
 */
export function observeLaidOutSizes(window: Window & typeof globalThis) {
  class LaidOutResizeObserver extends window.ResizeObserver {
    constructor(callback: ResizeObserverCallback) {
      super((entries, observer) => {
        const laidOut = entries.filter(isLaidOut)
        if (laidOut.length > 0) callback(laidOut, observer)
      })
    }
  }
  window.ResizeObserver = LaidOutResizeObserver
}

function isLaidOut({ target, borderBoxSize: [box] }: ResizeObserverEntry): boolean {
  if (!box || !(target instanceof HTMLElement)) return true
  // Reading a size forces a layout, so only where a report is in doubt.
  if (box.blockSize === 0 && target.offsetHeight > 0) return false
  return box.inlineSize > 0 || target.offsetWidth === 0
}
