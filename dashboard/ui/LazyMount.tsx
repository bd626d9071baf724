import { type ReactNode, Suspense, useState } from 'react'

/** Draws what is inside from the first time it is wanted on, so that code which is rarely needed is loaded then. */
export function LazyMount({ wanted, children }: { wanted: boolean; children: ReactNode }) {
  const [wasWanted, setWasWanted] = useState(wanted)
  if (wanted && !wasWanted) setWasWanted(true)
  return wasWanted ? <Suspense fallback={null}>{children}</Suspense> : null
}
