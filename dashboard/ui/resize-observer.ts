/**
 * Replaces `ResizeObserver` of the window, where lists take it from, by one that
 *
 * - leaves out reports of an empty box for elements that have a size. Safari's engine makes them for elements that were
 *   inserted while a style sheet was loading, which it does not lay out until then; it reports their size once it has. A
 *   virtual list that believes such a report has no height, so it shows no lines, and never measures them again.
 * - begins to observe in the next frame what could not be reported in this one. If a list is rendered while sizes are
 *   reported, so are effects that observe elements around it; browsers log an error for each such observation.
 */
export function repairResizeObserver(window: Window & typeof globalThis) {
  /** The elements whose sizes are being reported. */
  let reported: Element[] | undefined

  window.ResizeObserver = class extends window.ResizeObserver {
    readonly #deferred = new Set<Element>()

    constructor(callback: ResizeObserverCallback) {
      super((entries, observer) => {
        const laidOut = entries.filter(isLaidOut)
        if (laidOut.length === 0) return
        reported = laidOut.map(({ target }) => target)
        try {
          callback(laidOut, observer)
        } finally {
          reported = undefined
        }
      })
    }

    override observe(target: Element, options?: ResizeObserverOptions) {
      // Only elements within those that were reported are still reported in the same frame.
      if (!reported || reported.some((element) => element !== target && element.contains(target))) {
        super.observe(target, options)
        return
      }
      this.#deferred.add(target)
      window.requestAnimationFrame(() => {
        if (this.#deferred.delete(target)) super.observe(target, options)
      })
    }

    override unobserve(target: Element) {
      this.#deferred.delete(target)
      super.unobserve(target)
    }

    override disconnect() {
      this.#deferred.clear()
      super.disconnect()
    }
  }
}

function isLaidOut({ target, borderBoxSize: [box] }: ResizeObserverEntry): boolean {
  if (!box || !(target instanceof HTMLElement)) return true
  // Reading a size forces a layout, so only where a report is in doubt.
  if (box.blockSize === 0 && target.offsetHeight > 0) return false
  return box.inlineSize > 0 || target.offsetWidth === 0
}
