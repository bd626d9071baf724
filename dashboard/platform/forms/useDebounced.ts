import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 300

/** The text after a pause in typing; clearing it applies at once. */
export function useDebounced(text: string, delay_ms = DEBOUNCE_MS): string {
  const [settled, setSettled] = useState('')
  const wanted = text.trim()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), wanted ? delay_ms : 0)
    return () => clearTimeout(timer)
  }, [wanted, delay_ms])
  return wanted && settled
}
