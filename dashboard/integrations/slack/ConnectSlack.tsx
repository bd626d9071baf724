import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { SlackAuthorization, SlackType } from '#contract/integrations/slack.ts'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { ConsentButton } from '../../features/connections/oauth/ConsentButton.tsx'
import { appQuery } from '../../features/connections/oauth/queries.ts'
import { Block } from '../../ui/EditBlock.tsx'
import { SlackForm } from './SlackForm.tsx'

interface ConnectSlackProps {
  type: SlackType
  inbox_id: string
  /** The connection to change. */
  connection?: SlackAuthorization | undefined
  isConnected: boolean
  onConnected?(): void
}

/** Both ways to connect. Where there is an app one click suffices, so that comes first. */
export function ConnectSlack({ type, inbox_id, connection, isConnected, onConnected }: ConnectSlackProps) {
  const { t } = useTranslation()
  const { data: app, isPending } = useQuery(appQuery('slack'))
  const integration = type === 'support' ? 'slack:sync' : 'slack'
  const consent = (
    <Block key="consent" title={t('slack.consent')} text={t('slack.consent_text')}>
      <div className={styles.row}>
        <ConsentButton vendor="slack" request={{ integration, inbox_id }} isConnected={isConnected} />
      </div>
    </Block>
  )
  const form = (
    <SlackForm
      key={connection?.id ?? 'new'}
      type={type}
      inbox_id={inbox_id}
      connection={connection}
      {...(onConnected && { onConnected })}
    />
  )
  // The order would change under the pointer.
  if (isPending) return null
  return app?.source ? [consent, form] : [form, consent]
}
