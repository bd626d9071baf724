import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 300

/** A text a moment after typing stopped; emptied at once. */
export function useDebounced(text: string, delay_ms = DEBOUNCE_MS): string {
  const [settled, setSettled] = useState('')
  const wanted = text.trim()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), wanted ? delay_ms : 0)
    return () => clearTimeout(timer)
  }, [wanted, delay_ms])
  return wanted && settled
}
