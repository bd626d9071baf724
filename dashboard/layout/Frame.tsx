import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import type { HeardEvent } from '#contract/events.ts'
import { accountQuery, meQuery, TeamContext } from '../features/accounts/account.ts'
import { countsQuery } from '../features/conversations/counts.ts'
import { resumeSending, startSending } from '../features/messages/sending.ts'
import { hearAll, reloadAll } from '../heard.ts'
import { connectLive } from '../live.ts'
import type { Tokens } from '../session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import styles from './Frame.module.css'
import { FrameSkeleton } from './FrameSkeleton.tsx'
import { IconBar } from './IconBar.tsx'
import { PhoneBar } from './PhoneBar.tsx'
import { useTitleFlash } from './useTitleFlash.ts'

const RETRY_MS = 5_000

/** Everything around the screens of a signed-in user: who they are, the socket, navigation. */
export function Frame({ tokens }: { tokens: Tokens }) {
  const me = useQuery({ ...meQuery, refetchInterval: retryUntilKnown })
  const account = useQuery({ ...accountQuery, refetchInterval: retryUntilKnown })
  const isConnected = useLive(tokens)
  if (me.data && account.data && isConnected) {
    return (
      <TeamContext value={{ me: me.data, account: account.data }}>
        <Bars>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
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
          <Button type="primary" onClick={retry}>
            {t('retry')}
          </Button>
        }
      />
    </main>
  )
}

function Bars({ children }: { children: ReactNode }) {
  useTitleFlash()
  useQuery(countsQuery)
  return (
    <div className={styles.frame}>
      <div className={styles.icons}>
        <IconBar />
      </div>
      <div className={styles.screen}>{children}</div>
      <PhoneBar />
    </div>
  )
}

/** Opens the socket and the outbox for as long as the frame stands. True once loading may begin. */
function useLive({ account_id, user_id }: Tokens): boolean {
  const client = useQueryClient()
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    let isGone = false
    let disconnect: (() => void) | undefined
    const hear = (events: HeardEvent[]) => hearAll(client, events, user_id)
    startSending(user_id, (message) => hear([{ event: 'shout', payload: message }]))
    const ears = {
      hear,
      reload: () => reloadAll(client),
      live: resumeSending,
    }
    connectLive(account_id, ears).then((close) => {
      if (isGone) return close()
      disconnect = close
      setReady(true)
    })
    return () => {
      isGone = true
      disconnect?.()
      client.clear()
    }
  }, [client, account_id, user_id])
  return isReady
}
