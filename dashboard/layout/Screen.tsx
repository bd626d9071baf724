import { Suspense, useContext, useDeferredValue, useMemo } from 'react'
import { UNSAFE_LocationContext as LocationContext, useOutlet } from 'react-router'
import { Boundary } from './Boundary.tsx'

/**
 * The screen of an address. The next conversation is drawn at once; another screen, whose code may still have to come,
 * when all of it is there. Until then the screen before stays, and reads its own address, not the one it was left for.
 */
export function Screen() {
  const outlet = useOutlet()
  const place = useContext(LocationContext)
  const now = useMemo(() => ({ outlet, place }), [outlet, place])
  const last = useDeferredValue(now)
  const shown = kindOf(last.place.location.pathname) === kindOf(place.location.pathname) ? now : last
  return (
    <LocationContext value={shown.place}>
      {/* Inside the frame, so that one screen that fails leaves the way to all others. */}
      <Boundary place={shown.place.location.pathname}>
        <Suspense fallback={null}>{shown.outlet}</Suspense>
      </Boundary>
    </LocationContext>
  )
}

/** The same for all conversations of the account, and for those of one inbox; else each address has its own. */
function kindOf(pathname: string): string {
  return /^(\/inboxes\/[^/]+)?\/conversations(?=\/|$)/.exec(pathname)?.[0] ?? pathname
}
