import { type ReactNode, Suspense, useState } from 'react'

/** Mounts its content when `when` is first true, and keeps it, so that rarely needed code is loaded then. */
export function LazyMount({ when, children }: { when: boolean; children: ReactNode }) {
  const [wasMounted, setWasMounted] = useState(when)
  if (when && !wasMounted) setWasMounted(true)
  return wasMounted ? <Suspense fallback={null}>{children}</Suspense> : null
}
