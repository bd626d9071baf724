import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { showError } from '../../../../platform/http/errors.ts'
import { loadNewer, type ThreadPosition } from '../thread.ts'
import { FILL_MS } from './useOlderPages.ts'

/** How near the bottom the next newer page is loaded, in pixels. */
const NEAR_BOTTOM = 800

/** Loads newer pages while the user scrolls down in an older part of a conversation. */
export function useNewerPages(
  conversation_id: string,
  start: ThreadPosition,
  scroller: RefObject<HTMLDivElement | null>,
  after: number | null,
) {
  const client = useQueryClient()
  const loading = useRef<number>(undefined)
  const onScroll = async () => {
    const element = scroller.current
    if (!element || after === null || loading.current === after) return
    if (element.scrollHeight - element.scrollTop - element.clientHeight > NEAR_BOTTOM) return
    loading.current = after
    try {
      await loadNewer(client, conversation_id, start)
    } catch (error) {
      loading.current = undefined
      showError('Newer messages not loaded', error)
    }
  }
  const latest = useRef(onScroll)
  latest.current = onScroll
  useEffect(() => {
    if (after === null) return
    const timer = setTimeout(() => latest.current(), FILL_MS)
    return () => clearTimeout(timer)
  }, [after])
  return { onScroll }
}
