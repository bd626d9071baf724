import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { VisitedSession } from '#contract/widget/live-sessions.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime, useAges } from '../../../platform/times.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { Table, TableSkeleton } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { PlanNotice } from '../../accounts/plan-notices/PlanNotice.tsx'
import styles from './BrowserSessions.module.css'
import { sessionKeys } from './keys.ts'
import { type LiveSession, useLiveSessions } from './live-list.ts'
import { newestSessionQuery, severalSessionsQuery } from './queries.ts'
import { visitorName } from './visitor-name.ts'
import { WatchersOnly } from './WatchersOnly.tsx'

/** The most sessions that the server returns at once. */
const MAX_SESSIONS = 100

/** The visitors who are on the website now. */
export function LiveSessionsPage() {
  const { t } = useTranslation()
  return (
    <WatchersOnly>
      <Page title={t('sessions.title')} text={t('sessions.text')}>
        <PlanNotice feature="screen_sharing" />
        <Content />
      </Page>
    </WatchersOnly>
  )
}

function Content() {
  const client = useQueryClient()
  const updated = useCallback(() => void client.invalidateQueries({ queryKey: sessionKeys.all }), [client])
  const live = useLiveSessions(useTeam().account.id, updated)
  return (
    <>
      <Notice isRecording={!!live?.length} />
      <Sessions live={live} />
    </>
  )
}

/** Whether the recorder is set up on the website, as far as is known. */
function Notice({ isRecording }: { isRecording: boolean }) {
  const { t } = useTranslation()
  const { data: newest } = useQuery(newestSessionQuery)
  if (newest === undefined && !isRecording) return null
  if (newest || isRecording) return <Banner>{t('sessions.beta')}</Banner>
  return (
    <Banner tone="warning" action={<ButtonLink to="/sessions/setup">{t('sessions.set_up')}</ButtonLink>}>
      {t('sessions.not_set_up')}
    </Banner>
  )
}

function Sessions({ live }: { live: LiveSession[] | undefined }) {
  const { t } = useTranslation()
  const [page, setPage] = useState('')
  const filter = useDeferredValue(page.trim().toLowerCase())
  const matching = useMemo(
    () => live?.filter(({ pathname = '' }) => pathname.toLowerCase().includes(filter)).slice(0, MAX_SESSIONS),
    [live, filter],
  )
  const ids = useMemo(() => (matching ?? []).map(({ session_id }) => session_id).sort(), [matching])
  const query = useQuery(severalSessionsQuery(ids))
  if (!live || !matching) return <TableSkeleton label={t('sessions.connecting')} />
  if (live.length === 0) return <EmptyState drawing="rest" title={t('sessions.none')} text={t('sessions.none_text')} />
  const sessionsById = new Map(query.data?.map((session) => [session.id, session]))
  return (
    <>
      <SearchInput label={t('sessions.filter')} value={page} onChange={setPage} />
      {matching.length === 0 ? (
        <p role="status" className={styles.none}>
          {t('sessions.none_match')}
        </p>
      ) : query.data ? (
        <Table
          label={t('sessions.title')}
          columns={[
            t('sessions.visitor'),
            t('sessions.started'),
            t('sessions.status'),
            t('sessions.device'),
            t('sessions.actions'),
          ]}
        >
          <Each name="live session" items={matching} keyOf={(live) => live.session_id}>
            {(live) => {
              const session = sessionsById.get(live.session_id)
              return session && <Row session={session} live={live} />
            }}
          </Each>
        </Table>
      ) : (
        <QueryView query={query} failed={t('sessions.failed')} />
      )}
      {live.length > MAX_SESSIONS && !filter && (
        <p className={styles.none}>{t('sessions.more', { count: MAX_SESSIONS })}</p>
      )}
    </>
  )
}

function Row({ session, live }: { session: VisitedSession; live: LiveSession }) {
  const { t } = useTranslation()
  const ago = useAges()
  const { id, customer, metadata, started_at } = session
  const name = visitorName(session)
  const device = [metadata?.browser, metadata?.os].filter((part) => typeof part === 'string').join(' / ')
  return (
    <tr>
      <td>
        {customer ? (
          <Link to={`/customers/${customer.id}`}>
            <Truncate text={customer.email || name} />
          </Link>
        ) : (
          <>
            {name} <span className={styles.quiet}>{t('sessions.unknown')}</span>
          </>
        )}
      </td>
      <td>
        {started_at && <time dateTime={started_at}>{messageTime(started_at)}</time>}
        <div className={styles.quiet}>
          <Truncate text={live.pathname ?? '/'} />
        </div>
      </td>
      <td>
        <Pill tone={live.active ? 'success' : 'neutral'}>
          {t(live.active ? 'sessions.online' : 'sessions.inactive')}
        </Pill>{' '}
        <time className={styles.quiet} dateTime={live.ts}>
          {ago(live.ts, 'long')}
        </time>
      </td>
      <td>{device}</td>
      <td>
        <Link to={`/sessions/live/${id}`} aria-label={t('sessions.view_of', { name })}>
          {t('sessions.view')}
        </Link>
      </td>
    </tr>
  )
}
