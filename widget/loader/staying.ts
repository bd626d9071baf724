/**
 * Keeps our element on the page for as long as there is a widget: some applications replace the body, or everything in
 * it, when they go from one view to the next.
 */
export function stayOnPage(host: HTMLElement, signal: AbortSignal, onReturn: () => void) {
  const watcher = new MutationObserver(() => {
    if (host.isConnected || !document.body) return
    document.body.append(host)
    onReturn()
    watch()
  })
  function watch() {
    watcher.observe(document.documentElement, { childList: true })
    watcher.observe(document.body, { childList: true })
  }
  watch()
  signal.addEventListener('abort', () => watcher.disconnect())
}
