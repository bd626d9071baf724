import { useEffect, useState } from 'react'
import { isTemporary } from '../../../platform/http/request.ts'
import { renderPreview } from '../articles/queries.ts'

const PAUSE_MS = 500

/** The server's rendering of a text, after a pause in typing. One call at a time: a newer text ends the call before it. */
export function usePreview(body: string, isShown: boolean) {
  const [html, setHtml] = useState<string>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    if (!isShown) return
    const controller = new AbortController()
    const timer = setTimeout(
      () =>
        renderPreview(body, controller.signal).then(
          (next) => {
            setHtml(next)
            setError(undefined)
          },
          // Without a connection the last preview stays.
          (failure) => !controller.signal.aborted && !isTemporary(failure) && setError(failure),
        ),
      PAUSE_MS,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [body, isShown])
  return { html, error }
}
