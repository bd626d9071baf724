import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Location, useNavigate } from 'react-router'
import type { ClientEvent } from '#contract/events.ts'
import { applyEvents, reloadAll, reloadFailed } from '../apply-events.ts'
import { accountQuery, meQuery, TeamContext, useTeam } from '../features/accounts/accounts/account.ts'
import { closeOverlay } from '../features/conversations/actions/overlays.ts'
import { countsQuery } from '../features/conversations/conversations/counts.ts'
import { acceptScheduled } from '../features/conversations/messages/scheduled/cache.ts'
import { resumeSending, startSending } from '../features/conversations/messages/sending/sending.ts'
import { listAssigned, notifyAssigned } from '../features/conversations/notifications/assigned.ts'
import type { notifyOfDeadlines as NotifyOfDeadlines } from '../features/conversations/notifications/deadline-news.ts'
import { listHandedOver, readHandedOver } from '../features/conversations/notifications/handed-over.ts'
import type { notifyOfNews as NotifyOfNews } from '../features/conversations/notifications/news.ts'
import { closeNotificationsOf, usePushOnPage } from '../features/conversations/push/usePushOnPage.ts'
import { applyPresence } from '../features/customers/customers/list/arrivals.ts'
import { useSupportChatOnPage } from '../features/widget/support-chat/useSupportChat.ts'
import { enabledParts, isBillingEnabled } from '../platform/environment.ts'
import { logError } from '../platform/http/errors.ts'
import { useIsInstallSuggested } from '../platform/installing.ts'
import { lazyComponent } from '../platform/lazy/lazy-component.tsx'
import { useTitles } from '../platform/pages.ts'
import { connectLive } from '../platform/realtime/connection.ts'
import type { PresenceDiff } from '../platform/realtime/presence.ts'
import type { Tokens } from '../platform/session/session.ts'
import { withTexts } from '../platform/texts.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LazyMount } from '../ui/LazyMount.tsx'
import { dismissAll } from '../ui/notices.ts'
import styles from './Frame.module.css'
import { FrameSkeleton } from './FrameSkeleton.tsx'
import { IconBar } from './IconBar.tsx'
import { destinationsFor } from './navigation.ts'
import { OfflineBar } from './OfflineBar.tsx'
import { PhoneBar } from './PhoneBar.tsx'
import { ActionLayer } from './palette/ActionLayer.tsx'
import { Screen } from './Screen.tsx'
import { useOwnLanguages } from './useOwnLanguages.ts'
import { useWaitingCount } from './useWaitingCount.ts'

const RETRY_MS = 5_000

const InstallLine = lazyComponent(withTexts(['install'], async () => (await import('./InstallLine.tsx')).InstallLine))

const BillingNotices = lazyComponent(
  async () => (await import('../features/accounts/plan-notices/BillingNotices.tsx')).BillingNotices,
)

/** Loaded lazily, because notifications only come after the first screen is shown. */
const notifyOfDeadlines = (...news: Parameters<typeof NotifyOfDeadlines>) =>
  import('../features/conversations/notifications/deadline-news.ts').then(
    (loaded) => loaded.notifyOfDeadlines(...news),
    notLoaded,
  )
const notifyOfNews = (...news: Parameters<typeof NotifyOfNews>) =>
  import('../features/conversations/notifications/news.ts').then((loaded) => loaded.notifyOfNews(...news), notLoaded)

/** Without them the screens go on: they show what is new by themselves. */
function notLoaded(error: unknown) {
  logError('Notifications not loaded', error)
}

interface FrameProps {
  tokens: Tokens
  /** Renders the screen of an address. */
  draw: (location: Location) => ReactNode
}

/** Everything around the screens of a signed-in user: their account, the socket, and navigation. */
export function Frame({ tokens, draw }: FrameProps) {
  const me = useQuery({ ...meQuery, refetchInterval: retryUntilKnown })
  const account = useQuery({ ...accountQuery, refetchInterval: retryUntilKnown })
  const isConnected = useLive(tokens)
  if (me.data && account.data && isConnected) {
    return (
      <TeamContext value={{ me: me.data, account: account.data }}>
        <Bars>
          <Screen draw={draw} />
        </Bars>
      </TeamContext>
    )
  }
  if (me.isPending || account.isPending || !isConnected) return <FrameSkeleton />
  return <Unreachable retry={() => Promise.all([me.refetch(), account.refetch()])} />
}

function retryUntilKnown({ state }: { state: { data: unknown } }) {
  return state.data === null ? RETRY_MS : false
}

function Unreachable({ retry }: { retry: () => void }) {
  const { t } = useTranslation()
  return (
    <main className="fill column">
      <EmptyState
        isPage
        alert
        drawing="apart"
        title={t('failure.unreachable')}
        text={t('failure.unreachable_text')}
        action={
          <Button variant="primary" onClick={retry}>
            {t('retry')}
          </Button>
        }
      />
    </main>
  )
}

function Bars({ children }: { children: ReactNode }) {
  const { me, account } = useTeam()
  const titleOf = useTitles()
  const isInstallSuggested = useIsInstallSuggested()
  const listScreens = () =>
    destinationsFor(me.role, enabledParts(), account.settings).map((destination) => ({
      ...destination,
      name: titleOf(destination.title),
    }))
  useWaitingCount()
  useOwnLanguages()
  useSupportChatOnPage()
  usePushOnPage(me.id)
  useQuery(countsQuery)
  return (
    <div className={styles.frame}>
      <div className={styles.icons}>
        <IconBar />
      </div>
      <div className={styles.content}>
        {isBillingEnabled() && me.role === 'admin' && (
          <Suspense fallback={null}>
            <BillingNotices />
          </Suspense>
        )}
        <OfflineBar />
        <div className={styles.screen}>{children}</div>
        <LazyMount when={isInstallSuggested}>{isInstallSuggested && <InstallLine />}</LazyMount>
      </div>
      <PhoneBar />
      <ActionLayer listPlaces={listScreens} />
    </div>
  )
}

/** Opens the socket and the outbox while the frame is mounted. Returns whether loading may begin. */
function useLive({ account_id, user_id }: Tokens): boolean {
  const client = useQueryClient()
  const [isReady, setReady] = useState(false)
  const navigate = useNavigate()
  const open = useEffectEvent((path: string) => void navigate(path))
  useEffect(() => {
    let isUnmounted = false
    let disconnect: (() => void) | undefined
    const apply = (events: ClientEvent[]) => {
      const assigned = listAssigned(client, events, user_id)
      const handedOver = listHandedOver(client, events)
      applyEvents(client, events, user_id)
      notifyAssigned(assigned, open)
      void closeNotificationsOf(events)
      if (events.some(({ event }) => event === 'shout')) notifyOfNews(client, events, user_id, open)
      if (handedOver.length > 0) readHandedOver(handedOver).then((news) => notifyOfNews(client, news, user_id, open))
      if (events.some(({ event }) => event === 'deadline:warned' || event === 'deadline:broken'))
        notifyOfDeadlines(client, events, user_id, open)
    }
    const stopSending = startSending(user_id, {
      message: (message) => apply([{ event: 'shout', payload: message }]),
      scheduled: (scheduled) => acceptScheduled(client, scheduled),
    })
    const handlers = {
      apply,
      applyPresence: (diff: PresenceDiff) => applyPresence(client, diff),
      reload: () => reloadAll(client),
      caughtUp: () => {
        resumeSending()
        reloadFailed(client)
      },
    }
    connectLive(account_id, handlers).then((close) => {
      if (isUnmounted) return close()
      disconnect = close
      setReady(true)
    })
    return () => {
      isUnmounted = true
      disconnect?.()
      stopSending()
      // No data of this user may remain for the next one who signs in.
      closeOverlay()
      dismissAll()
      client.clear()
    }
  }, [client, account_id, user_id])
  return isReady
}
