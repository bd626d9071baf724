import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { useTranslation } from 'react-i18next'
import { BrowserRouter } from 'react-router'
import { startLanguages } from './i18n.ts'
import { Boundary } from './layout/Boundary.tsx'
import { fetchAhead } from './layout/pages.ts'
import { isTemporary } from './request.ts'
import { DashboardRoutes } from './routes.tsx'
import { onTokensChange, readTokens, startSession } from './session.ts'
import { Notices } from './ui/Notices.tsx'
import { followScheme } from './ui/scheme.ts'
import { Themed } from './ui/Themed.tsx'
import './ui/global.css'

/** What is loaded stays true: the socket tells every change. So nothing is loaded again without a reason. */
const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60 * 60_000,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 3 && isTemporary(error),
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 5_000),
    },
    mutations: { networkMode: 'always' },
  },
})

function Dashboard() {
  const { t } = useTranslation()
  const tokens = useSyncExternalStore(onTokensChange, readTokens)
  const [isStarted, setStarted] = useState(false)
  useEffect(() => {
    const starting = startSession()
    Promise.all([starting, ahead]).then(() => setStarted(true))
    return () => {
      starting.then((stop) => stop())
    }
  }, [])
  return (
    <Themed>
      <QueryClientProvider client={client}>
        <Boundary>
          {/* Whoever goes somewhere by a key or a click sees it in the next frame, not when React finds the time. */}
          <BrowserRouter useTransitions={false}>{isStarted && <DashboardRoutes tokens={tokens} />}</BrowserRouter>
        </Boundary>
        <Notices label={t('notices')} closeLabel={t('close')} />
      </QueryClientProvider>
    </Themed>
  )
}

followScheme()
const ahead = fetchAhead(location.pathname, readTokens() !== null)
await startLanguages()
createRoot(document.getElementById('app') ?? document.body).render(<Dashboard />)
