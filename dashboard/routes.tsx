import { type ReactNode, Suspense } from 'react'
import { type Location, matchRoutes, Navigate, Route, Routes, useLocation, useParams } from 'react-router'
import { pagesFor } from './layout/navigation.ts'
import { enabledParts } from './platform/environment.ts'
import { lazyPage } from './platform/lazy/lazy-page.tsx'
import type { Page } from './platform/pages.ts'
import type { Tokens } from './platform/session/session.ts'
import { withTexts } from './platform/texts.ts'
import { inboxScreenTexts } from './screens/inbox/texts.ts'

const Frame = lazyPage(withTexts([inboxScreenTexts], async () => (await import('./layout/Frame.tsx')).Frame))

/** Addresses of before, and those that stand for another one. */
const REDIRECTS = [
  ['/account/overview', '/settings/overview'],
  ['/account/getting-started', '/settings/chat-widget'],
  ['/billing', '/settings/billing'],
  ['/saved-replies', '/settings/saved-replies'],
  ['/', '/conversations/all'],
  ['/conversations/*', '/conversations/all'],
  ['/inboxes/*', '/conversations/all'],
] as const

/** Every address of the dashboard. Without tokens only the pages that stand alone can be reached. */
export function DashboardRoutes({ tokens }: { tokens: Tokens | null }) {
  return (
    <Suspense fallback={null}>
      <Routes>
        {routesOf(listPages().filter(({ alone }) => alone))}
        <Route
          path="*"
          element={tokens ? <Frame key={tokens.user_id} tokens={tokens} draw={drawFramed} /> : <ToSignIn />}
        />
      </Routes>
    </Suspense>
  )
}

/** What stands inside the frame at an address, which may be one that is being left. */
function drawFramed(location: Location): ReactNode {
  return (
    <Routes location={location}>
      {routesOf(listPages().filter(({ alone }) => !alone))}
      {REDIRECTS.map(([path, to]) => (
        <Route key={path} path={path} element={<Navigate to={to} replace />} />
      ))}
      <Route path="/account/*" element={<ToSettings />} />
      <Route path="*" element={<Navigate to="/conversations/all" replace />} />
    </Routes>
  )
}

/** Fetches the code of the page that is about to be shown. */
export async function fetchAhead(pathname: string, isSignedIn: boolean): Promise<void> {
  const shown = pageAt(pathname) ?? pageAt('/conversations/all')
  const wanted = shown?.alone
    ? [shown.Component]
    : isSignedIn
      ? [Frame, shown?.Component]
      : [pageAt('/login')?.Component]
  // What cannot be fetched is tried again, and reported, when it is shown.
  await Promise.allSettled(wanted.map((each) => each?.fetch()))
}

function pageAt(pathname: string): Page | undefined {
  const routes = listPages().flatMap((page) => page.paths.map((path) => ({ path, handle: page })))
  return matchRoutes(routes, pathname)?.at(-1)?.route.handle
}

function listPages(): Page[] {
  return pagesFor(enabledParts())
}

function routesOf(pages: Page[]): ReactNode {
  return pages.flatMap(({ paths, Component }) =>
    paths.map((path) => <Route key={path} path={path} element={<Component />} />),
  )
}

/** The old address of the settings. */
function ToSettings() {
  const { '*': rest } = useParams()
  return <Navigate to={`/settings/${rest ?? ''}`} replace />
}

/** Where they wanted to go is kept for after signing in. */
function ToSignIn() {
  const { pathname, search } = useLocation()
  // The start page leads nowhere in particular; signing in and registering have destinations of their own.
  if (pathname === '/') return <Navigate to="/login" replace />
  return <Navigate to={`/login?redirect=${encodeURIComponent(pathname + search)}`} replace />
}
