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
  const found = useQuery({ ...slackQuery('reply', inbox?.id), enabled: !!inbox })
  const { data: connected } = useQuery(integrationsQuery)
  const known = found.data?.[0]
  const authorization = connected?.data.find(({ id }) => id === known?.id)
  return (
    <IntegrationPage
      title={t('slack.reply')}
      text={t('slack.reply_text')}
      badge={found.data && <StatusPill authorization={authorization} />}
      howItWorks={(['out', 'in', 'who', 'buttons'] as const).map((step) => t(`slack.reply_how.${step}`))}
      feature="slack"
    >
      {inbox && found.data ? (
        <>
          {authorization && <HealthCard authorization={authorization} />}
          <ConnectSlack type="reply" inbox_id={inbox.id} known={known} isConnected={!!known} />
          <Settings inbox={inbox} known={known} />
          {authorization && <Unsent authorization={authorization} />}
          {authorization && <Unread authorization_id={authorization.id} />}
          <AppForm vendor="slack" name="Slack" />
        </>
      ) : (
        <QueryView query={found} failed={t('slack.failed')} />
      )}
    </IntegrationPage>
  )
}

function Settings({ inbox, known }: { inbox: Inbox; known: SlackAuthorization | undefined }) {
  const { t } = useTranslation()
  return (
    <Block title={t('integrations.settings')}>
      {known ? (
        <dl>
          <Definition name={t('slack.fields.inbox')}>{inbox.name}</Definition>
          <Definition name={t('slack.fields.channel')}>{known.channel}</Definition>
          <Definition name={t('slack.fields.team')}>{known.team_name}</Definition>
          <Definition name={t('slack.fields.configuration')}>
            {known.configuration_url && (
              <a href={known.configuration_url} target="_blank" rel="noopener noreferrer">
                {known.configuration_url}
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
