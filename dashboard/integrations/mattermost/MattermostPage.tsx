import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { MattermostAuthorization } from '#contract/integrations/mattermost.ts'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import { integrationsQuery } from '../../features/connections/authorizations/queries.ts'
import { StatusPill } from '../../features/connections/authorizations/StatusPill.tsx'
import { HealthCard } from '../../features/connections/integrations/HealthCard.tsx'
import { IntegrationPage } from '../../features/connections/integrations/IntegrationPage.tsx'
import { Unread, Unsent } from '../../features/connections/integrations/Problems.tsx'
import { useInboxOfPage } from '../../features/widget/inboxes/useInboxOfPage.ts'
import { QueryView } from '../../platform/QueryView.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { MattermostForm } from './MattermostForm.tsx'
import { mattermostQuery } from './queries.ts'

/** The Mattermost channel from which the team replies to an inbox's conversations. */
export function MattermostPage() {
  const { t } = useTranslation()
  const inbox = useInboxOfPage()
  const { me } = useTeam()
  // Members see that the page is for admins; the server would refuse the call.
  const query = useQuery({ ...mattermostQuery(inbox?.id ?? ''), enabled: !!inbox && me.role === 'admin' })
  const { data: connected } = useQuery(integrationsQuery)
  const authorization = connected?.data.find(({ id }) => id === query.data?.id)
  return (
    <IntegrationPage
      title={t('integrations.entries.mattermost')}
      text={t('integrations.mattermost.text')}
      badge={query.data !== undefined && <StatusPill authorization={authorization} />}
      howItWorks={(['out', 'in', 'who', 'safe'] as const).map((step) => t(`integrations.mattermost.how.${step}`))}
    >
      {inbox && query.data !== undefined ? (
        <>
          {authorization && <HealthCard authorization={authorization} />}
          <MattermostForm key={query.data?.id ?? 'new'} inbox_id={inbox.id} connection={query.data} />
          <Settings connection={query.data} />
          {authorization && <Unsent authorization={authorization} />}
          {authorization && <Unread authorization_id={authorization.id} />}
        </>
      ) : (
        <QueryView query={query} failed={t('integrations.mattermost.failed')} />
      )}
    </IntegrationPage>
  )
}

function Settings({ connection }: { connection: MattermostAuthorization | null }) {
  const { t } = useTranslation()
  return (
    <Block title={t('integrations.settings')}>
      {connection ? (
        <dl>
          <Definition name={t('integrations.mattermost.url')}>{connection.mattermost_url}</Definition>
          <Definition name={t('integrations.mattermost.channel')}>
            {connection.team_name ? `${connection.channel} (${connection.team_name})` : connection.channel}
          </Definition>
          <Definition name={t('integrations.mattermost.token')}>{connection.access_token}</Definition>
          <Definition name={t('integrations.mattermost.webhook')}>{connection.verification_token}</Definition>
        </dl>
      ) : (
        <p>{t('connections.not_connected')}</p>
      )}
    </Block>
  )
}
