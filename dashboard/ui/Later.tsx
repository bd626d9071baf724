import { type ReactNode, useEffect, useState } from 'react'

/** Shows what is inside only when waiting takes long enough to be noticed. */
export function Later({ ms = 150, children }: { ms?: number; children: ReactNode }) {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return due ? children : null
}
