import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuthorizationInList } from '#contract/connections/integrations.ts'
import type { SlackAuthorization } from '#contract/integrations/slack.ts'
import { integrationsQuery } from '../../features/connections/authorizations/queries.ts'
import { StatusPill } from '../../features/connections/authorizations/StatusPill.tsx'
import { HealthCard } from '../../features/connections/integrations/HealthCard.tsx'
import { IntegrationPage } from '../../features/connections/integrations/IntegrationPage.tsx'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { Unread, Unsent } from '../../features/connections/integrations/Problems.tsx'
import { disconnect } from '../../features/connections/integrations/queries.ts'
import { AppForm } from '../../features/connections/oauth/AppForm.tsx'
import { useInboxOfPage } from '../../features/widget/inboxes/useInboxOfPage.ts'
import { logError } from '../../platform/http/errors.ts'
import { QueryView } from '../../platform/QueryView.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Each } from '../../ui/Each.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { EmptyLine } from '../../ui/EmptyLine.tsx'
import { Table } from '../../ui/Table.tsx'
import { ConnectSlack } from './ConnectSlack.tsx'
import { slackQuery } from './queries.ts'
import { SlackForm } from './SlackForm.tsx'
import { SupportSettings } from './SupportSettings.tsx'

/** Slack channels in which customers write: the workspaces of an inbox, and which messages become conversations. */
export function SlackSupportPage() {
  const { t } = useTranslation()
  const inbox = useInboxOfPage()
  const query = useQuery({ ...slackQuery('support', inbox?.id), enabled: !!inbox })
  const { data: connected } = useQuery(integrationsQuery)
  const [chosen, setChosen] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const connection = query.data?.find(({ id }) => id === chosen) ?? query.data?.[0]
  const authorization = connected?.data.find(({ id }) => id === connection?.id)
  const showsForm = isAdding || query.data?.length === 0
  return (
    <IntegrationPage
      title={t('slack.support')}
      text={t('slack.support_text')}
      badge={query.data && <StatusPill authorization={authorization} />}
      howItWorks={(['in', 'out', 'companies'] as const).map((step) => t(`slack.support_how.${step}`))}
      feature="slack"
    >
      {inbox && query.data ? (
        <>
          <Workspaces
            all={query.data}
            connected={connected?.data ?? []}
            viewed={connection?.id}
            view={setChosen}
            add={() => setAdding(true)}
          />
          {showsForm && (
            <ConnectSlack
              type="support"
              inbox_id={inbox.id}
              isConnected={!!connection}
              onConnected={() => setAdding(false)}
            />
          )}
          {connection && <SupportSettings key={connection.id} connection={connection} />}
          {authorization && <HealthCard authorization={authorization} />}
          {connection && authorization?.state === 'broken' && (
            <SlackForm key={`change ${connection.id}`} type="support" inbox_id={inbox.id} connection={connection} />
          )}
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

interface WorkspacesProps {
  all: SlackAuthorization[]
  connected: AuthorizationInList[]
  viewed: string | undefined
  view(id: string): void
  add(): void
}

function Workspaces({ all, connected, viewed, view, add }: WorkspacesProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const columns = ['team', 'channel', 'status', 'actions'] as const
  const isViewed = (id: string) => id === viewed && all.length > 1
  const remove = (id: string) => () =>
    disconnect(client, id, false).catch((error) => logError('Workspace not disconnected', error))
  return (
    <Block wide title={t('slack.workspaces')} text={t('slack.workspaces_text')}>
      {all.length === 0 ? (
        <EmptyLine>{t('slack.no_workspaces')}</EmptyLine>
      ) : (
        <Table
          label={t('slack.workspaces')}
          columns={columns.map((name) => t(`slack.columns.${name}`)) as [string, ...string[], string]}
        >
          <Each name="all" items={all} keyOf={({ id }) => id}>
            {({ id, team_name, channel }) => (
              <tr>
                <td>{team_name}</td>
                <td>{channel}</td>
                <td>
                  <StatusPill authorization={connected.find((integration) => integration.id === id)} />
                </td>
                <td>
                  <Button
                    size="small"
                    variant="text"
                    aria-label={isViewed(id) ? undefined : t('slack.configure_named', { name: team_name })}
                    disabled={isViewed(id)}
                    onClick={() => view(id)}
                  >
                    {t(isViewed(id) ? 'slack.viewing' : 'slack.configure')}
                  </Button>
                  <Confirm question={t('integrations.disconnect_confirm')} yes={t('yes')} no={t('no')} run={remove(id)}>
                    <Button size="small" variant="text" aria-label={t('slack.disconnect_named', { name: team_name })}>
                      {t('integrations.disconnect')}
                    </Button>
                  </Confirm>
                </td>
              </tr>
            )}
          </Each>
        </Table>
      )}
      {all.length > 0 && (
        <div className={styles.row}>
          <Button onClick={add}>{t('slack.add')}</Button>
        </div>
      )}
    </Block>
  )
}
