import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { SlackAuthorization } from '#contract/integrations/slack.ts'
import type { Inbox } from '#contract/widget/inboxes.ts'
import { integrationsQuery } from '../../features/connections/authorizations/queries.ts'
import { StatusPill } from '../../features/connections/authorizations/StatusPill.tsx'
import { HealthCard } from '../../features/connections/integrations/HealthCard.tsx'
import { IntegrationPage } from '../../features/connections/integrations/IntegrationPage.tsx'
import { Unread, Unsent } from '../../features/connections/integrations/Problems.tsx'
import { AppForm } from '../../features/connections/oauth/AppForm.tsx'
import { useInboxOfPage } from '../../features/widget/inboxes/useInboxOfPage.ts'
import { QueryView } from '../../platform/QueryView.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { ConnectSlack } from './ConnectSlack.tsx'
import { slackQuery } from './queries.ts'

/** The channel from which the team replies to an inbox: connecting it, its state, and failed deliveries. */
export function SlackReplyPage() {
  const { t } = useTranslation()
  const inbox = useInboxOfPage()
  const query = useQuery({ ...slackQuery('reply', inbox?.id), enabled: !!inbox })
  const { data: connected } = useQuery(integrationsQuery)
  const connection = query.data?.[0]
  const authorization = connected?.data.find(({ id }) => id === connection?.id)
  return (
    <IntegrationPage
      title={t('slack.reply')}
      text={t('slack.reply_text')}
      badge={query.data && <StatusPill authorization={authorization} />}
      howItWorks={(['out', 'in', 'who', 'buttons'] as const).map((step) => t(`slack.reply_how.${step}`))}
      feature="slack"
    >
      {inbox && query.data ? (
        <>
          {authorization && <HealthCard authorization={authorization} />}
          <ConnectSlack type="reply" inbox_id={inbox.id} connection={connection} isConnected={!!connection} />
          <Settings inbox={inbox} connection={connection} />
          {authorization && <Unsent authorization={authorization} />}
          {authorization && <Unread authorization_id={authorization.id} />}
          <AppForm vendor="slack" name="Slack" />
        </>
      ) : (
        <QueryView query={query} failed={t('slack.failed')} />
      )}
    </IntegrationPage>
  )
}

function Settings({ inbox, connection }: { inbox: Inbox; connection: SlackAuthorization | undefined }) {
  const { t } = useTranslation()
  return (
    <Block title={t('integrations.settings')}>
      {connection ? (
        <dl>
          <Definition name={t('slack.fields.inbox')}>{inbox.name}</Definition>
          <Definition name={t('slack.fields.channel')}>{connection.channel}</Definition>
          <Definition name={t('slack.fields.team')}>{connection.team_name}</Definition>
          <Definition name={t('slack.fields.configuration')}>
            {connection.configuration_url && (
              <a href={connection.configuration_url} target="_blank" rel="noopener noreferrer">
                {connection.configuration_url}
              </a>
            )}
          </Definition>
        </dl>
      ) : (
        <p>{t('connections.not_connected')}</p>
      )}
    </Block>
  )
}
