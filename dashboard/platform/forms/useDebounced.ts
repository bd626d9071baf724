import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 300

/** The text after a pause in typing; clearing it applies at once. */
export function useDebounced(text: string, delay_ms = DEBOUNCE_MS): string {
  const [settled, setSettled] = useState('')
  const trimmed = text.trim()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(trimmed), trimmed ? delay_ms : 0)
    return () => clearTimeout(timer)
  }, [trimmed, delay_ms])
  return trimmed && settled
}
