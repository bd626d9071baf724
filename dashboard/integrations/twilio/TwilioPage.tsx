import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { TwilioAuthorization } from '#contract/integrations/twilio.ts'
import { integrationsQuery } from '../../features/connections/authorizations/queries.ts'
import { StatusPill } from '../../features/connections/authorizations/StatusPill.tsx'
import { HealthCard } from '../../features/connections/integrations/HealthCard.tsx'
import { IntegrationPage } from '../../features/connections/integrations/IntegrationPage.tsx'
import { Unread, Unsent } from '../../features/connections/integrations/Problems.tsx'
import { QueryView } from '../../platform/QueryView.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { twilioQuery } from './queries.ts'
import { TwilioForm } from './TwilioForm.tsx'

/** The phone number of an inbox for text messages and WhatsApp: connecting it, its state, and failed deliveries. */
export function TwilioPage() {
  const { t } = useTranslation()
  const { inbox_id } = useParams()
  const twilio = useQuery(twilioQuery(inbox_id))
  const { data: connected } = useQuery(integrationsQuery)
  const authorization = connected?.data.find(({ id }) => id === twilio.data?.id)
  return (
    <IntegrationPage
      title="Twilio"
      text={t('twilio.text')}
      badge={twilio.data !== undefined && connected && <StatusPill authorization={authorization} />}
      howItWorks={(['console', 'whatsapp', 'in', 'out', 'stop'] as const).map((step) => t(`twilio.how.${step}`))}
    >
      {twilio.data === undefined ? (
        <QueryView query={twilio} failed={t('twilio.failed')} />
      ) : (
        <>
          {authorization && <HealthCard authorization={authorization} />}
          <TwilioForm
            key={twilio.data?.id ?? 'new'}
            inbox_id={inbox_id}
            twilio={twilio.data}
            isCalled={authorization?.way_in === 'called'}
          />
          <Settings twilio={twilio.data} />
          {authorization && <Unsent authorization={authorization} />}
          {authorization && <Unread authorization_id={authorization.id} />}
        </>
      )}
    </IntegrationPage>
  )
}

function Settings({ twilio }: { twilio: TwilioAuthorization | null }) {
  const { t } = useTranslation()
  return (
    <Block title={t('integrations.settings')}>
      {twilio ? (
        <dl>
          <Definition name={t('twilio.number')}>{twilio.from_phone_number}</Definition>
          <Definition name={t('twilio.sid')}>{twilio.twilio_account_sid}</Definition>
          <Definition name={t('twilio.token')}>{twilio.twilio_auth_token}</Definition>
          {twilio.messaging_service_sid && (
            <Definition name={t('twilio.service')}>{twilio.messaging_service_sid}</Definition>
          )}
          {twilio.whatsapp_number && <Definition name={t('twilio.whatsapp')}>{twilio.whatsapp_number}</Definition>}
        </dl>
      ) : (
        <p>{t('connections.not_connected')}</p>
      )}
    </Block>
  )
}
