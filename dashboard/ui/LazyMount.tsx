import { type ReactNode, Suspense, useState } from 'react'

/** Mounts its content when `wanted` is first true, and keeps it, so that rarely needed code is loaded then. */
export function LazyMount({ wanted, children }: { wanted: boolean; children: ReactNode }) {
  const [wasWanted, setWasWanted] = useState(wanted)
  if (wanted && !wasWanted) setWasWanted(true)
  return wasWanted ? <Suspense fallback={null}>{children}</Suspense> : null
}
