/** The server counts somebody as absent two minutes after the last report. */
const REPORT_MS = 45_000
/** Whoever has touched nothing for this long has left the desk. Shorter would hide those who wait for work. */
const IDLE_MS = 30 * 60_000
const INPUTS = ['keydown', 'pointerdown', 'pointermove'] as const

/**
 * Reports regularly that this tab is in use, for as long as it is. Returns a function that stops it.
 * @param report called when the tab is used again after a long pause, and regularly while it is in use
 */
export function reportUse(report: () => void): () => void {
  let usedAt = Date.now()
  const use = () => {
    const wasIdle = Date.now() - usedAt > IDLE_MS
    usedAt = Date.now()
    if (wasIdle) report()
  }
  const timer = setInterval(() => Date.now() - usedAt <= IDLE_MS && report(), REPORT_MS)
  for (const input of INPUTS) window.addEventListener(input, use, { passive: true })
  return () => {
    clearInterval(timer)
    for (const input of INPUTS) window.removeEventListener(input, use)
  }
}
