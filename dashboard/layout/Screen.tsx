import { type ReactNode, Suspense, useDeferredValue } from 'react'
import { type Location, useLocation } from 'react-router'
import { Boundary } from './Boundary.tsx'
import { SubNavigation } from './SubNavigation.tsx'

/**
 * The screen of an address. The next conversation is drawn at once; another screen, whose code may still have to come,
 * when all of it is there. Until then the screen before stays, and reads its own address, not the one it was left for.
 */
export function Screen({ draw }: { draw: (location: Location) => ReactNode }) {
  const location = useLocation()
  const last = useDeferredValue(location)
  const shown = kindOf(last.pathname) === kindOf(location.pathname) ? location : last
  return (
    <>
      <SubNavigation pathname={shown.pathname} />
      {/* Inside the frame, so that one screen that fails leaves the way to all others. */}
      <Boundary place={shown.pathname}>
        <Suspense fallback={null}>{draw(shown)}</Suspense>
      </Boundary>
    </>
  )
}

/** The same for all conversations of the account, and for those of one inbox; else each address has its own. */
function kindOf(pathname: string): string {
  return /^(\/inboxes\/[^/]+)?\/conversations(?=\/|$)/.exec(pathname)?.[0] ?? pathname
}
