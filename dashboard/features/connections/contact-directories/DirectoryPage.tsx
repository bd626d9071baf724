import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AuthorizationInList } from '#contract/connections/integrations.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime } from '../../../platform/times.ts'
import { Definition } from '../../../ui/Definition.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { integrationsQuery } from '../authorizations/queries.ts'
import { StatusPill } from '../authorizations/StatusPill.tsx'
import type { Directory } from '../directory-links/queries.ts'
import { HealthCard } from '../integrations/HealthCard.tsx'
import { IntegrationPage } from '../integrations/IntegrationPage.tsx'
import styles from '../integrations/Integrations.module.css'
import { AppForm } from '../oauth/AppForm.tsx'
import { ConsentButton } from '../oauth/ConsentButton.tsx'
import { FinishOAuth, useIsReturn } from '../oauth/FinishOAuth.tsx'
import { TokenForm } from '../oauth/TokenForm.tsx'
import { connectWithToken } from './queries.ts'

interface DirectoryPageProps {
  vendor: Directory
  /** The product name. */
  name: string
}

/** A contact directory of the company: connecting it by API key or OAuth, and its state. */
export function DirectoryPage(props: DirectoryPageProps) {
  return useIsReturn() ? <FinishOAuth /> : <Connection {...props} />
}

function Connection({ vendor, name }: DirectoryPageProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const connected = useQuery(integrationsQuery)
  const authorization = connected.data?.data.find(({ integration }) => integration === vendor)
  return (
    <IntegrationPage
      title={name}
      text={t('directories.text', { name })}
      badge={connected.data && <StatusPill authorization={authorization} />}
      howItWorks={(['look', 'add', 'safe'] as const).map((step) => t(`directories.how.${step}`, { name }))}
    >
      {connected.data ? (
        <>
          {authorization && <HealthCard authorization={authorization} />}
          <Block title={t(authorization ? 'directories.change' : 'directories.connect')} text={t('directories.ways')}>
            <TokenForm
              label={t(`directories.tokens.${vendor}`)}
              hint={t(`directories.token_hints.${vendor}`)}
              done={t('directories.connected', { name })}
              connect={(token) => connectWithToken(client, vendor, token)}
            />
            <div className={styles.row}>
              <ConsentButton vendor={vendor} request={{ integration: vendor }} isConnected={!!authorization} />
            </div>
          </Block>
          <Settings authorization={authorization} />
          <AppForm vendor={vendor} name={name} />
        </>
      ) : (
        <QueryView query={connected} failed={t('integrations.failed')} />
      )}
    </IntegrationPage>
  )
}

function Settings({ authorization }: { authorization: AuthorizationInList | undefined }) {
  const { t } = useTranslation()
  return (
    <Block title={t('integrations.settings')}>
      {authorization ? (
        <dl>
          <Definition name={t('directories.account')}>{authorization.label}</Definition>
          <Definition name={t('directories.since')}>{messageTime(authorization.created_at)}</Definition>
        </dl>
      ) : (
        <p>{t('connections.not_connected')}</p>
      )}
    </Block>
  )
}
