import { type ReactNode, Suspense } from 'react'
import { type Location, matchRoutes, Navigate, Route, Routes, useLocation, useParams } from 'react-router'
import { pagesFor } from './layout/navigation.ts'
import { enabledParts } from './platform/environment.ts'
import { lazyPage } from './platform/lazy/lazy-page.tsx'
import type { Page } from './platform/pages.ts'
import type { Tokens } from './platform/session/session.ts'
import { withTexts } from './platform/texts.ts'
import { INBOX_TEXTS } from './screens/inbox/texts.ts'

const Frame = lazyPage(withTexts(INBOX_TEXTS, async () => (await import('./layout/Frame.tsx')).Frame))

/** Old addresses and aliases. */
const REDIRECTS = [
  ['/account/overview', '/settings/overview'],
  ['/account/getting-started', '/settings/chat-widget'],
  ['/billing', '/settings/billing'],
  ['/saved-replies', '/settings/saved-replies'],
  ['/', '/conversations/all'],
  ['/conversations/*', '/conversations/all'],
  ['/inboxes/*', '/conversations/all'],
] as const

/** All routes of the dashboard. Without tokens only pages that are `alone` can be opened. */
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

/** The screen inside the frame for an address, which may be the previous one during navigation. */
function drawFramed(location: Location): ReactNode {
  return (
    <Routes location={location}>
      {routesOf(listPages().filter(({ alone }) => !alone))}
      {REDIRECTS.map(([path, to]) => (
        <Route key={path} path={path} element={<Navigate to={to} replace />} />
      ))}
      <Route path="/inboxes/:inbox_id/integrations" element={<Navigate to=".." relative="path" replace />} />
      <Route path="/account/*" element={<ToSettings />} />
      <Route path="*" element={<Navigate to="/conversations/all" replace />} />
    </Routes>
  )
}

/** Loads the code of the page that is about to be shown. */
export async function fetchAhead(pathname: string, isSignedIn: boolean): Promise<void> {
  const shown = pageAt(pathname) ?? pageAt('/conversations/all')
  const pages = shown?.alone
    ? [shown.Component]
    : isSignedIn
      ? [Frame, shown?.Component]
      : [pageAt('/login')?.Component]
  // A failure is reported when the page is rendered, which tries again.
  await Promise.allSettled(pages.map((each) => each?.fetch()))
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
  const { '*': subpath } = useParams()
  return <Navigate to={`/settings/${subpath ?? ''}`} replace />
}

/** Keeps the requested address for after signing in. */
function ToSignIn() {
  const { pathname, search } = useLocation()
  // The start page is no specific address; sign-in and registration choose their own target.
  if (pathname === '/') return <Navigate to="/login" replace />
  return <Navigate to={`/login?redirect=${encodeURIComponent(pathname + search)}`} replace />
}
