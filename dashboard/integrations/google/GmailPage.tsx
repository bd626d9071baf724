import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { AuthorizationInList } from '#contract/connections/integrations.ts'
import { integrationsQuery } from '../../features/connections/authorizations/queries.ts'
import { StatusPill } from '../../features/connections/authorizations/StatusPill.tsx'
import { HealthCard } from '../../features/connections/integrations/HealthCard.tsx'
import { IntegrationPage } from '../../features/connections/integrations/IntegrationPage.tsx'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { Unread, Unsent } from '../../features/connections/integrations/Problems.tsx'
import { AppForm } from '../../features/connections/oauth/AppForm.tsx'
import { ConsentButton } from '../../features/connections/oauth/ConsentButton.tsx'
import { QueryView } from '../../platform/QueryView.tsx'
import { dayAndTime } from '../../platform/times.ts'
import { Definition } from '../../ui/Definition.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { EarlyAccess } from './EarlyAccess.tsx'
import { GoogleNotes } from './GoogleNotes.tsx'
import { googleQuery } from './queries.ts'

/** The Gmail mailbox of an inbox: connecting it, its state, and failed deliveries. */
export function GmailPage() {
  const { t } = useTranslation()
  const { inbox_id } = useParams()
  const gmail = useQuery(googleQuery('gmail', inbox_id))
  const { data: connected } = useQuery(integrationsQuery)
  const authorization = connected?.data.find(({ id }) => id === gmail.data?.id)
  return (
    <IntegrationPage
      title="Gmail"
      text={t('google.gmail.text')}
      feature="gmail"
      badge={
        <EarlyAccess word={t('google.beta')}>{connected && <StatusPill authorization={authorization} />}</EarlyAccess>
      }
      howItWorks={(['in', 'out', 'safe'] as const).map((step) => t(`google.gmail.how.${step}`))}
    >
      {gmail.data === undefined ? (
        <QueryView query={gmail} failed={t('google.failed')} />
      ) : (
        <>
          {authorization && <HealthCard authorization={authorization} />}
          <Block title={t(gmail.data ? 'google.change' : 'google.connect')} text={t('google.consent')}>
            <div className={styles.row}>
              <ConsentButton
                vendor="google"
                request={{ integration: 'gmail', inbox_id: inbox_id ?? null }}
                isConnected={gmail.data !== null}
                tooltip={t('google.pending')}
              />
            </div>
          </Block>
          <Settings authorization={authorization} synced_at={gmail.data?.updated_at} />
          <AppForm vendor="google" name="Google" />
          <GoogleNotes />
          {authorization && <Unsent authorization={authorization} />}
          {authorization && <Unread authorization_id={authorization.id} />}
        </>
      )}
    </IntegrationPage>
  )
}

interface SettingsProps {
  authorization: AuthorizationInList | undefined
  synced_at: string | undefined
}

function Settings({ authorization, synced_at }: SettingsProps) {
  const { t } = useTranslation()
  return (
    <Block title={t('integrations.settings')}>
      {authorization ? (
        <dl>
          <Definition name={t('google.email')}>{authorization.label}</Definition>
          <Definition name={t('google.synced')}>{synced_at && dayAndTime(synced_at)}</Definition>
        </dl>
      ) : (
        <p>{t('connections.not_connected')}</p>
      )}
    </Block>
  )
}
