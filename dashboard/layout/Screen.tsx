import { Suspense, useDeferredValue, useMemo } from 'react'
import { useLocation, useOutlet } from 'react-router'

/**
 * The screen of an address. Another one of the same kind, such as the next conversation, is drawn at once; for one whose
 * code has still to come the screen before stays until it is there.
 */
export function Screen() {
  const outlet = useOutlet()
  const kind = useLocation().pathname.split('/', 2)[1]
  const last = useDeferredValue(useMemo(() => ({ outlet, kind }), [outlet, kind]))
  return <Suspense fallback={null}>{last.kind === kind ? outlet : last.outlet}</Suspense>
}
