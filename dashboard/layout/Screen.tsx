import { type ReactNode, Suspense, useDeferredValue } from 'react'
import { type Location, useLocation } from 'react-router'
import { Boundary } from './Boundary.tsx'
import { SubNavigation } from './SubNavigation.tsx'

/**
 * The screen of an address. Another conversation is rendered at once; another screen only when its code is loaded.
 * Until then the previous screen stays, with its own address.
 */
export function Screen({ draw }: { draw: (location: Location) => ReactNode }) {
  const location = useLocation()
  const last = useDeferredValue(location)
  const shown = kindOf(last.pathname) === kindOf(location.pathname) ? location : last
  return (
    <>
      <SubNavigation pathname={shown.pathname} />
      {/* Inside the frame, so that navigation still works when a screen fails. */}
      <Boundary path={shown.pathname}>
        <Suspense fallback={null}>{draw(shown)}</Suspense>
      </Boundary>
    </>
  )
}

/** The same for all conversations of the account, or of one inbox; otherwise the path itself. */
function kindOf(pathname: string): string {
  return /^(\/inboxes\/[^/]+)?\/conversations(?=\/|$)/.exec(pathname)?.[0] ?? pathname
}
