import { useEffect } from 'react'

const PREFIX = 'parley.reading:'

/**
 * Tells the browser's other tabs that a conversation is being read in this one, while it is on screen and the window in
 * front. Told by a lock, because the browser gives it back when the tab ends in whatever way.
 */
export function useReading(conversation_id: string | undefined) {
  useEffect(() => {
    if (conversation_id === undefined || !('locks' in navigator)) return
    let release: (() => void) | undefined
    const stop = () => {
      release?.()
      release = undefined
    }
    const update = () => {
      const isReading = document.hasFocus() && !document.hidden
      if (!isReading) return stop()
      if (release) return
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      // Refused where storage is forbidden. Then other tabs notify as well.
      navigator.locks.request(PREFIX + conversation_id, { mode: 'shared' }, () => held).catch(() => undefined)
    }
    update()
    for (const event of ['focus', 'blur'] as const) window.addEventListener(event, update)
    document.addEventListener('visibilitychange', update)
    return () => {
      stop()
      for (const event of ['focus', 'blur'] as const) window.removeEventListener(event, update)
      document.removeEventListener('visibilitychange', update)
    }
  }, [conversation_id])
}

/** The ids of the conversations that are being read in any tab of this browser. */
export async function listBeingRead(): Promise<Set<string>> {
  if (!('locks' in navigator)) return new Set()
  try {
    const { held = [] } = await navigator.locks.query()
    const names = held.map(({ name }) => name ?? '').filter((name) => name.startsWith(PREFIX))
    return new Set(names.map((name) => name.slice(PREFIX.length)))
  } catch {
    return new Set()
  }
}
