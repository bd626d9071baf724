import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { INTEGRATIONS } from '#contract/connections/kinds.ts'
import type { WhatsappAuthorization } from '#contract/integrations/whatsapp.ts'
import { integrationsQuery } from '../../features/connections/authorizations/queries.ts'
import { StatusPill } from '../../features/connections/authorizations/StatusPill.tsx'
import { HealthCard } from '../../features/connections/integrations/HealthCard.tsx'
import { IntegrationPage } from '../../features/connections/integrations/IntegrationPage.tsx'
import { Unread, Unsent } from '../../features/connections/integrations/Problems.tsx'
import { QueryView } from '../../platform/QueryView.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { whatsappQuery } from './queries.ts'
import { WhatsappForm } from './WhatsappForm.tsx'

/** The WhatsApp number of an inbox: connecting it, its state, what it costs, and failed deliveries. */
export function WhatsappPage() {
  const { t } = useTranslation()
  const { inbox_id } = useParams()
  const whatsapp = useQuery(whatsappQuery(inbox_id))
  const { data: connected } = useQuery(integrationsQuery)
  const current = whatsapp.data?.authorization
  const authorization = connected?.data.find(({ id }) => id === current?.id)
  return (
    <IntegrationPage
      title="WhatsApp"
      text={t('whatsapp.text')}
      badge={whatsapp.data !== undefined && connected && <StatusPill authorization={authorization} />}
      howItWorks={(['app', 'token', 'paste'] as const).map((step) => t(`whatsapp.how.${step}`))}
    >
      {whatsapp.data === undefined ? (
        <QueryView query={whatsapp} failed={t('whatsapp.failed')} />
      ) : (
        <>
          {authorization && <HealthCard authorization={authorization} />}
          {whatsapp.data.webhook_url === null && <Banner tone="warning">{t('whatsapp.needs_https')}</Banner>}
          {!current && <OverTwilio inbox_id={inbox_id} />}
          {(whatsapp.data.webhook_url !== null || current) && (
            <WhatsappForm
              key={current?.id ?? 'new'}
              inbox_id={inbox_id}
              whatsapp={current ?? null}
              isReachable={whatsapp.data.webhook_url !== null}
            />
          )}
          {current && <Settings whatsapp={current} webhook_url={whatsapp.data.webhook_url} />}
          <Rules />
          {authorization && <Unsent authorization={authorization} />}
          {authorization && <Unread authorization_id={authorization.id} />}
        </>
      )}
    </IntegrationPage>
  )
}

/** The other way, which needs nobody to call this server. */
function OverTwilio({ inbox_id }: { inbox_id: string | undefined }) {
  const { t } = useTranslation()
  const path = `/${INTEGRATIONS.twilio.path}`
  return (
    <Block title={t('whatsapp.twilio.title')} text={t('whatsapp.twilio.text')}>
      <Link to={inbox_id ? `/inboxes/${inbox_id}${path}` : path}>{t('whatsapp.twilio.open')}</Link>
    </Block>
  )
}

function Settings({ whatsapp, webhook_url }: { whatsapp: WhatsappAuthorization; webhook_url: string | null }) {
  const { t } = useTranslation()
  return (
    <Block title={t('integrations.settings')}>
      <dl>
        <Definition name={t('whatsapp.number')}>{whatsapp.phone_number}</Definition>
        <Definition name={t('whatsapp.name')}>{whatsapp.verified_name}</Definition>
        <Definition name={t('whatsapp.quality')}>{whatsapp.quality}</Definition>
        <Definition name={t('whatsapp.phone_number_id')}>{whatsapp.phone_number_id}</Definition>
        <Definition name={t('whatsapp.business_account_id')}>{whatsapp.business_account_id}</Definition>
        <Definition name={t('whatsapp.webhook')}>{webhook_url}</Definition>
      </dl>
    </Block>
  )
}

/** What people should know before they connect a number. */
function Rules() {
  const { t } = useTranslation()
  return (
    <Block title={t('whatsapp.rules.title')}>
      <dl>
        <Definition name={t('whatsapp.rules.window')}>{t('whatsapp.rules.window_text')}</Definition>
        <Definition name={t('whatsapp.rules.costs')}>{t('whatsapp.rules.costs_text')}</Definition>
        <Definition name={t('whatsapp.rules.stop')}>{t('whatsapp.rules.stop_text')}</Definition>
      </dl>
    </Block>
  )
}
