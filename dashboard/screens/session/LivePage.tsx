import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import { sessionQuery } from '../../features/widget/live-sessions/queries.ts'
import { visitorName } from '../../features/widget/live-sessions/visitor-name.ts'
import { WatchersOnly } from '../../features/widget/live-sessions/WatchersOnly.tsx'
import { errorText } from '../../platform/http/errors.ts'
import { isTemporary } from '../../platform/http/request.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { LoadFailed } from '../../ui/LoadFailed.tsx'
import { Page } from '../../ui/Page.tsx'
import { PartBoundary } from '../../ui/PartBoundary.tsx'
import { TableSkeleton } from '../../ui/Table.tsx'
import styles from './LivePage.module.css'
import { Replay } from './Replay.tsx'
import { SessionSidebar } from './SessionSidebar.tsx'

const LIST = '/sessions/list'

/** What a visitor sees live, with the conversation beside it. */
export function LivePage() {
  const { session = '' } = useParams()
  return (
    <WatchersOnly>
      <Live key={session} id={session} />
    </WatchersOnly>
  )
}

function Live({ id }: { id: string }) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const { data: session, error, refetch } = useQuery(sessionQuery(id))
  if (error && !(session && isTemporary(error))) {
    return (
      <LoadFailed
        isPage
        title={t('sessions.one_failed')}
        text={errorText(error)}
        retryLabel={t('retry')}
        retry={refetch}
        back={{ to: LIST, label: t('sessions.back') }}
      />
    )
  }
  const title = session ? t('sessions.live_of', { name: visitorName(session) }) : t('sessions.live_title')
  return (
    <Page wide back={<BackLink to={LIST}>{t('sessions.back')}</BackLink>} title={title}>
      {session ? (
        <div className={styles.live}>
          <div className={styles.replay}>
            <PartBoundary name="replay" shows={id}>
              <Replay account_id={account.id} session={session} />
            </PartBoundary>
          </div>
          <PartBoundary name="visitor" shows={session}>
            <SessionSidebar session={session} />
          </PartBoundary>
        </div>
      ) : (
        <TableSkeleton label={t('loading')} />
      )}
    </Page>
  )
}
