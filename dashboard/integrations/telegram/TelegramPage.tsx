import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { TelegramConnection } from '#contract/integrations/telegram.ts'
import { integrationsQuery } from '../../features/connections/authorizations/queries.ts'
import { StatusPill } from '../../features/connections/authorizations/StatusPill.tsx'
import { HealthCard } from '../../features/connections/integrations/HealthCard.tsx'
import { IntegrationPage } from '../../features/connections/integrations/IntegrationPage.tsx'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { Unread, Unsent } from '../../features/connections/integrations/Problems.tsx'
import { QueryView } from '../../platform/QueryView.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { telegramQuery } from './queries.ts'
import { TelegramForm } from './TelegramForm.tsx'

/** The Telegram bot of an inbox: connecting it, its state, and failed deliveries. */
export function TelegramPage() {
  const { t } = useTranslation()
  const { inbox_id } = useParams()
  const telegram = useQuery(telegramQuery(inbox_id))
  const { data: connected } = useQuery(integrationsQuery)
  const authorization = connected?.data.find(({ id }) => id === telegram.data?.id)
  return (
    <IntegrationPage
      title="Telegram"
      text={t('telegram.text')}
      badge={telegram.data !== undefined && connected && <StatusPill authorization={authorization} />}
      howItWorks={(['create', 'paste', 'write'] as const).map((step) => t(`telegram.how.${step}`))}
    >
      {telegram.data === undefined ? (
        <QueryView query={telegram} failed={t('telegram.failed')} />
      ) : (
        <>
          {authorization && <HealthCard authorization={authorization} />}
          {telegram.data && <Bot connection={telegram.data} />}
          <TelegramForm key={telegram.data?.id ?? 'new'} inbox_id={inbox_id} connection={telegram.data} />
          <GoodToKnow />
          {authorization && <Unsent authorization={authorization} />}
          {authorization && <Unread authorization_id={authorization.id} />}
        </>
      )}
    </IntegrationPage>
  )
}

function Bot({ connection: { bot_name, bot_username } }: { connection: TelegramConnection }) {
  const { t } = useTranslation()
  const url = `https://t.me/${bot_username}`
  return (
    <Block title={t('telegram.bot')}>
      <dl>
        <Definition name={t('telegram.bot')}>
          {bot_name} <span className={styles.quiet}>@{bot_username}</span>
        </Definition>
        <Definition name={t('telegram.link')}>
          <a href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        </Definition>
      </dl>
    </Block>
  )
}

function GoodToKnow() {
  const { t } = useTranslation()
  return (
    <Block title={t('telegram.good')}>
      <ul className={styles.how}>
        <li>{t('telegram.notes.groups')}</li>
        <li>{t('telegram.notes.look')}</li>
        <li>{t('telegram.notes.token')}</li>
      </ul>
    </Block>
  )
}
