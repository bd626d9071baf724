import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { errorText, logError } from '../../../platform/http/errors.ts'
import { isTemporary } from '../../../platform/http/request.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ProductLogo } from '../../../ui/ProductLogo.tsx'
import { ThreadSkeleton } from '../../../ui/Skeleton.tsx'
import { useTabTitle } from '../../../ui/tab-title.ts'
import { DayLine, MessageBubble } from '../messages/bubble/Bubble.tsx'
import { entriesOf } from '../messages/thread/entries.ts'
import { customerOf, type Shared, sharedQuery } from './queries.ts'
import styles from './SharedConversationPage.module.css'

/** No user has this id: nobody's messages count as the reader's own. */
const NOBODY = 0
/** How near the top the next older page is loaded, in pixels. */
const NEAR_TOP = 600

/** A conversation opened by a public link. */
export function SharedConversationPage() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const shared = useInfiniteQuery(sharedQuery(params.get('cid') ?? undefined, params.get('token') ?? undefined))
  const { data, error, refetch } = shared
  const page = useRef<HTMLElement>(null)
  useScrollPosition(page, data)
  useEffect(() => {
    if (error) logError('Shared conversation not loaded', error)
  }, [error])
  const loadOlder = () => {
    const isNear = !!page.current && page.current.scrollTop < NEAR_TOP
    if (isNear && shared.hasNextPage && !shared.isFetchingNextPage && !error) shared.fetchNextPage()
  }
  // A page that does not fill the screen cannot be scrolled, so the next one is loaded.
  const latest = useRef(loadOlder)
  latest.current = loadOlder
  useEffect(() => {
    if (data) latest.current()
  }, [data])
  return (
    <main className={styles.page} ref={page} onScroll={loadOlder}>
      {error && !data ? (
        <EmptyState
          isPage
          alert
          drawing="lost"
          title={t('shared.failed')}
          text={errorText(error)}
          action={isTemporary(error) && <Button onClick={() => refetch()}>{t('retry')}</Button>}
        />
      ) : (
        <div className={styles.inside}>
          {data ? <Read pages={data.pages} /> : <ThreadSkeleton label={t('loading')} />}
          {shared.isFetchNextPageError && (
            <button type="button" className={styles.retry} onClick={() => shared.fetchNextPage()}>
              {t('thread.older_failed')}
            </button>
          )}
        </div>
      )}
    </main>
  )
}

/** Opens at the newest message, and keeps the scroll position while older pages load above. */
function useScrollPosition(page: RefObject<HTMLElement | null>, data: InfiniteData<Shared> | undefined) {
  const fromBottom = useRef(0)
  useLayoutEffect(() => {
    const element = page.current
    if (element && data) element.scrollTop = element.scrollHeight - element.clientHeight - fromBottom.current
  }, [page, data])
  useEffect(() => {
    const element = page.current
    if (!element) return
    const note = () => {
      fromBottom.current = element.scrollHeight - element.clientHeight - element.scrollTop
    }
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [page])
}

function Read({ pages }: { pages: Shared[] }) {
  const { t } = useTranslation()
  const entries = useMemo(() => {
    const messages = pages.flatMap((page) => page.messages).sort((a, b) => a.number - b.number)
    return entriesOf(messages, [], NOBODY)
  }, [pages])
  const [shared] = pages
  const title = shared && (shared.subject || t('shared.with', { name: shared.customer.title }))
  useTabTitle(title)
  if (!shared) return null
  const customer = customerOf(shared)
  return (
    <>
      <header className={styles.head}>
        <ProductLogo />
        <div className={styles.words}>
          <h1 className={styles.title} dir="auto">
            {title}
          </h1>
          <p className={styles.text}>{t('shared.text')}</p>
        </div>
      </header>
      {entries.length === 0 && <EmptyState drawing="talk" title={t('shared.nothing')} />}
      <Each
        name="message"
        items={entries}
        keyOf={(entry) => entry.key}
        fallback={(entry) => <p dir="auto">{entry.type === 'message' && entry.message.body}</p>}
      >
        {(entry) => {
          if (entry.type === 'day') return <DayLine at={entry.at} />
          return entry.type === 'message' && <MessageBubble {...entry} customer={customer} />
        }}
      </Each>
    </>
  )
}
