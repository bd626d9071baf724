import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { userName } from '#contract/accounts/users.ts'
import { isWrittenBy } from '#contract/conversations/messages.ts'
import type { SearchHit } from '#contract/conversations/search.ts'
import { displayName } from '#contract/customers/customers.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime, useAges } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ListSkeleton } from '../../../ui/Skeleton.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { Anonymous } from '../../customers/customers/Anonymous.tsx'
import { CustomerAvatar } from '../../customers/customers/CustomerAvatar.tsx'
import { foundOnScreen } from './found-on-screen.ts'
import { Marked } from './Marked.tsx'
import { foundQuery } from './queries.ts'
import styles from './SearchResults.module.css'

interface ResultsProps {
  q: string
  /** The path of a conversation. */
  pathOf: (conversation_id: string) => string
}

/** The search results, newest first, in place of the list. Each opens its conversation at the message. */
export function SearchResults({ q, pathOf }: ResultsProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery({ ...foundQuery(q), placeholderData: keepPreviousData })
  const hits = query.data?.pages.flatMap((page) => page.hits) ?? []
  useOnScreen(hits.map((hit) => addressOf(hit, pathOf)))
  if (!query.data)
    return <QueryView query={query} failed={t('search.failed')} loading={<ListSkeleton label={t('loading')} />} />
  return (
    <div className={styles.results} data-stale={query.isPlaceholderData || undefined}>
      <p className="unseen" role="status">
        {query.isPlaceholderData ? '' : t('search.count', { count: hits.length })}
      </p>
      {hits.length === 0 && !query.hasNextPage && (
        <EmptyState drawing="lost" title={t('search.nothing')} text={t('search.nothing_text')} />
      )}
      <ul aria-label={t('search.results')}>
        <Each
          name="result"
          items={hits}
          keyOf={(hit) => hit.message?.id ?? hit.conversation.id}
          fallback={(hit) => (
            <li>
              <Link to={addressOf(hit, pathOf)}>{displayName(hit.conversation.customer)}</Link>
            </li>
          )}
        >
          {(hit) => (
            <li>
              <Hit hit={hit} path={addressOf(hit, pathOf)} />
            </li>
          )}
        </Each>
      </ul>
      {query.hasNextPage && (
        <div className={styles.more}>
          <Button variant="text" block loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {t('list.load_more')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The address of a result, with its message if it is one. */
function addressOf({ conversation, message }: SearchHit, pathOf: ResultsProps['pathOf']): string {
  const path = pathOf(conversation.id)
  return message ? `${path}?message=${message.number}` : path
}

/** Lets the keys that move through the list move through the results. */
function useOnScreen(paths: readonly string[]) {
  const all = paths.join(' ')
  useEffect(() => {
    foundOnScreen.set(all.split(' ').filter(Boolean))
    return () => foundOnScreen.set(undefined)
  }, [all])
}

function Hit({ hit: { conversation, message, matched }, path }: { hit: SearchHit; path: string }) {
  const { t } = useTranslation()
  const ago = useAges()
  const { pathname, search } = useLocation()
  const { customer } = conversation
  const at = message?.created_at ?? conversation.last_activity_at
  return (
    <Link to={path} data-hit className={styles.hit} aria-current={path === pathname + search ? 'true' : undefined}>
      <CustomerAvatar customer={customer} size={28} />
      <span className={styles.words}>
        <span className={styles.line}>
          <span className={styles.name}>
            {displayName(customer)} <Anonymous customer={customer} />
          </span>
          <time className={styles.time} dateTime={at} title={messageTime(at)}>
            {ago(at, 'short')}
          </time>
        </span>
        {matched === 'subject' && (
          <span className={styles.subject} dir="auto">
            {t('search.subject', { subject: conversation.subject })}
          </span>
        )}
        {message && (
          <span className={styles.excerpt} dir="auto">
            {message.private && <Icon name="note" size={14} className={styles.note} />}
            <Author message={message} />
            {message.excerpt.text ? <Marked excerpt={message.excerpt} /> : t('list.attachment')}
          </span>
        )}
        {conversation.status === 'closed' && <span className={styles.closed}>{t('conversation.statuses.closed')}</span>}
      </span>
    </Link>
  )
}

function Author({ message }: { message: NonNullable<SearchHit['message']> }) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  if (message.user_id === null) return null
  const name =
    message.external_author ??
    (isWrittenBy(me.id, message) ? t('thread.you') : userName(account.users.find(({ id }) => id === message.user_id)))
  return <span className={styles.author}>{name}: </span>
}
