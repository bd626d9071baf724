import { notifyManager, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  unstable_HistoryRouter as HistoryRouter,
} from 'react-router'
import { Boundary } from './layout/Boundary.tsx'
import { LeaveGuard } from './layout/LeaveGuard.tsx'
import { logError } from './platform/http/errors.ts'
import { pictures } from './platform/http/pictures.ts'
import { ApiError, isTemporary } from './platform/http/request.ts'
import { onTokensChange, readTokens, startSession } from './platform/session/session.ts'
import { DashboardRoutes } from './routes.tsx'
import { KitProvider } from './ui/KitProvider.tsx'
import { Notices } from './ui/Notices.tsx'
import { PictureSource } from './ui/pictures.ts'

// Saved data must be rendered before its form closes. With the default timer, the form would show the old values for
// one frame.
notifyManager.setScheduler(queueMicrotask)

const history = createBrowserHistory({ v5Compat: true })

/** Events keep cached data up to date, so nothing is refetched without a reason. */
const client = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey }) {
      // Not found is an expected answer, and the page shows it.
      if (!(error instanceof ApiError && error.status === 404)) logError(`Loading ${queryKey[0]} failed`, error)
    },
  }),
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

/** The whole dashboard. `ahead` loads the code of the first page. */
export function Dashboard({ ahead }: { ahead: Promise<unknown> }) {
  const { t, i18n } = useTranslation()
  const labels = useMemo(
    () => ({
      close: t('close'),
      clear: t('clear'),
      loading: t('loading'),
      not_loaded: t('failure.part'),
      not_drawn: t('failure.not_drawn'),
      nothing: t('nothing_found'),
      show_password: t('show_password'),
      remove: (name: string) => t('remove_named', { name }),
      field_missing: t('field_missing'),
      field_mistyped: t('field_mistyped'),
    }),
    [t],
  )
  const tokens = useSyncExternalStore(onTokensChange, readTokens)
  const [isStarted, setStarted] = useState(false)
  useEffect(() => {
    const starting = startSession()
    Promise.all([starting, ahead]).then(() => setStarted(true))
    return () => {
      starting.then((stop) => stop())
    }
  }, [ahead])
  return (
    <KitProvider language={i18n.language} labels={labels}>
      <PictureSource value={pictures}>
        <QueryClientProvider client={client}>
          <Boundary>
            {/* Whoever goes somewhere by a key or a click sees it in the next frame, not when React finds the time. */}
            <HistoryRouter history={history} useTransitions={false}>
              {isStarted && <DashboardRoutes tokens={tokens} />}
            </HistoryRouter>
          </Boundary>
          <LeaveGuard history={history} />
          <Notices label={t('notices')} closeLabel={t('close')} />
        </QueryClientProvider>
      </PictureSource>
    </KitProvider>
  )
}
