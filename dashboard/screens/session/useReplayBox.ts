import { type RefObject, useCallback, useEffect, useState } from 'react'
import { type FromBox, type PageFile, readFromBox, type ToBox } from '../../replay-box/protocol.ts'

interface Size {
  width: number
  height: number
}

/** The state of the replay. */
export interface BoxState {
  /** The size of the visitor's window. */
  size: Size | undefined
  isDrawn: boolean
  /** The last minute has been played. */
  isFinished: boolean
  hasFault: boolean
}

const EMPTY: BoxState = { size: undefined, isDrawn: false, isFinished: false, hasFault: false }

/**
 * Exchanges messages with the frame that renders a page. Messages are queued until it is ready. `fetchFiles` loads the
 * files that the page needs, if the account allows it.
 */
export function useReplayBox(
  frame: RefObject<HTMLIFrameElement | null>,
  fetchFiles: (addresses: string[], got: (file: PageFile) => void) => void,
) {
  const [state, setState] = useState(EMPTY)
  const [outbox] = useState(() => ({ isReady: false, waiting: [] as ToBox[] }))
  const post = useCallback(
    (message: ToBox) => {
      // The frame has no origin that could be the target.
      if (outbox.isReady) frame.current?.contentWindow?.postMessage(message, '*')
      else outbox.waiting.push(message)
    },
    [frame, outbox],
  )
  useEffect(() => {
    function receive({ source, data }: MessageEvent) {
      if (source !== frame.current?.contentWindow) return
      const message = readFromBox(data)
      if (message?.say === 'ready') {
        outbox.isReady = true
        for (const queued of outbox.waiting.splice(0)) post(queued)
      } else if (message?.say === 'wanted') fetchFiles(message.addresses, (file) => post({ say: 'file', ...file }))
      else if (message) setState((before) => next(before, message))
    }
    addEventListener('message', receive)
    return () => removeEventListener('message', receive)
  }, [frame, outbox, post, fetchFiles])
  const play = useCallback(
    (message: Extract<ToBox, { say: 'past' | 'live' }>) => {
      setState((before) => ({ ...before, isFinished: false }))
      post(message)
    },
    [post],
  )
  return { state, post, play }
}

function next(before: BoxState, message: Exclude<FromBox, { say: 'ready' | 'wanted' }>): BoxState {
  if (message.say === 'size') return { ...before, size: { width: message.width, height: message.height } }
  if (message.say === 'drawn') return { ...before, isDrawn: true, hasFault: false }
  if (message.say === 'finished') return { ...before, isFinished: true }
  return { ...before, hasFault: true }
}
