/**
 * Keeps our element on the page while there is a widget: some applications replace the body, or all of its children,
 * when they change views.
 */
export function stayOnPage(host: HTMLElement, signal: AbortSignal, onReturn: () => void) {
  const watcher = new MutationObserver(() => {
    if (host.isConnected || !document.body) return
    // Not into the body, which will be replaced again, and every move reloads the frame.
    document.documentElement.append(host)
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
