import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { logError } from '../../../../platform/http/errors.ts'
import type { VirtualLinesHandle } from '../../../../ui/VirtualList.tsx'
import { loadOlder, type ThreadPosition } from '../thread.ts'
import type { Entry } from './entries.ts'

/** How near the top the next older page is loaded, in pixels. */
const NEAR_TOP = 800
/** A page that does not fill the screen cannot be scrolled, so after this time the next one is loaded. */
export const FILL_MS = 300

/** Loads older pages while the user scrolls up. `isPrepending` is true for the render that adds one above. */
export function useOlderPages(
  conversation_id: string,
  start: ThreadPosition,
  list: RefObject<VirtualLinesHandle | null>,
  entries: Entry[],
  hasOlder: boolean,
) {
  const client = useQueryClient()
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const isLoading = useRef(false)
  const drawn = useRef(entries)
  const isPrepending = hasPrepended(drawn.current, entries)
  useLayoutEffect(() => {
    drawn.current = entries
  }, [entries])

  const load = async () => {
    if (isLoading.current || !hasOlder) return
    isLoading.current = true
    setState('loading')
    try {
      await loadOlder(client, conversation_id, start)
      setState('idle')
    } catch (error) {
      logError('Older messages not loaded', error)
      setState('failed')
    }
    isLoading.current = false
  }
  const onScroll = () => {
    if (state === 'idle' && (list.current?.scrollOffset ?? NEAR_TOP) < NEAR_TOP) load()
  }

  const latest = useRef(onScroll)
  latest.current = onScroll
  useEffect(() => {
    const timer = setTimeout(() => {
      if (entries.length > 0) latest.current()
    }, FILL_MS)
    return () => clearTimeout(timer)
  }, [entries.length])

  return { state, load, onScroll, isPrepending }
}

/** Whether lines were only added above: the newest line is the same, the oldest message is not. */
export function hasPrepended(before: Entry[], after: Entry[]): boolean {
  const oldest = (entries: Entry[]) => entries.find((entry) => entry.type === 'message')?.key
  return after.length > before.length && after.at(-1)?.key === before.at(-1)?.key && oldest(after) !== oldest(before)
}
