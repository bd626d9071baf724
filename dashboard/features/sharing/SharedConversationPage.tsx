import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { PAGE_SIZE } from '#contract/messages.ts'
import { errorText, logError } from '../../errors.ts'
import { isTemporary } from '../../request.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { ThreadSkeleton } from '../../ui/Skeleton.tsx'
import { DayLine, MessageBubble } from '../messages/Bubble.tsx'
import { entriesOf } from '../messages/entries.ts'
import styles from './SharedConversationPage.module.css'
import { customerOf, type Shared, sharedQuery } from './shared.ts'

/** No user has this id: whoever reads a shared conversation is nobody in it. */
const NOBODY = 0

/** A conversation as somebody reads it who was given its link. */
export function SharedConversationPage() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const { data, error, refetch } = useQuery(
    sharedQuery(params.get('cid') ?? undefined, params.get('token') ?? undefined),
  )
  useEffect(() => {
    if (error) logError('Shared conversation not loaded', error)
  }, [error])
  return (
    <main className={styles.page}>
      {error ? (
        <EmptyState
          isPage
          alert
          drawing="lost"
          title={t('shared.failed')}
          text={errorText(error)}
          action={isTemporary(error) && <Button onClick={() => refetch()}>{t('retry')}</Button>}
        />
      ) : (
        <div className={styles.inside}>{data ? <Read shared={data} /> : <ThreadSkeleton label={t('loading')} />}</div>
      )}
    </main>
  )
}

function Read({ shared }: { shared: Shared }) {
  const { t } = useTranslation()
  const { messages } = shared
  const customer = customerOf(shared)
  const inOrder = messages.toSorted((one, other) => one.number - other.number)
  return (
    <>
      <header className={styles.head}>
        <Mark />
        <div className={styles.words}>
          <h1 className={styles.title} dir="auto">
            {shared.subject || t('shared.with', { name: shared.customer.title })}
          </h1>
          <p className={styles.text}>{t('shared.text')}</p>
        </div>
      </header>
      {messages.length >= PAGE_SIZE && <p className={styles.cut}>{t('shared.newest', { count: messages.length })}</p>}
      {messages.length === 0 && <EmptyState drawing="talk" title={t('shared.nothing')} />}
      {entriesOf(inOrder, [], NOBODY).map((entry) => {
        if (entry.type === 'day') return <DayLine key={entry.key} at={entry.at} />
        return entry.type === 'message' && <MessageBubble {...entry} customer={customer} />
      })}
    </>
  )
}
