import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { MailboxAuthorization } from '#contract/integrations/mailbox.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Definition } from '../../../ui/Definition.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { integrationsQuery } from '../authorizations/queries.ts'
import { StatusPill } from '../authorizations/StatusPill.tsx'
import { HealthCard } from './HealthCard.tsx'
import { IntegrationPage } from './IntegrationPage.tsx'
import { MailboxForm } from './MailboxForm.tsx'
import { Unread, Unsent } from './Problems.tsx'
import { mailboxQuery } from './queries.ts'

/** The mailbox of an inbox: connecting it, its state, and failed deliveries. */
export function MailboxPage() {
  const { t } = useTranslation()
  const { inbox_id = '' } = useParams()
  const { me } = useTeam()
  // Members see that the page is for admins; the server would refuse the call.
  const mailbox = useQuery({ ...mailboxQuery(inbox_id), enabled: me.role === 'admin' })
  const { data: connected } = useQuery(integrationsQuery)
  const authorization = connected?.data.find(({ id }) => id === mailbox.data?.id)
  return (
    <IntegrationPage
      title={t('integrations.entries.mailbox')}
      text={t('integrations.mailbox.text')}
      badge={mailbox.data !== undefined && <StatusPill authorization={authorization} />}
      howItWorks={(['in', 'out', 'safe'] as const).map((step) => t(`integrations.mailbox.how.${step}`))}
    >
      {mailbox.data === undefined ? (
        <QueryView query={mailbox} failed={t('integrations.mailbox.failed')} />
      ) : (
        <>
          {authorization && <HealthCard authorization={authorization} />}
          <MailboxForm key={mailbox.data?.id ?? 'new'} inbox_id={inbox_id} mailbox={mailbox.data} />
          <Settings mailbox={mailbox.data} />
          {authorization && <Unsent authorization={authorization} />}
          {authorization && <Unread authorization_id={authorization.id} />}
        </>
      )}
    </IntegrationPage>
  )
}

function Settings({ mailbox }: { mailbox: MailboxAuthorization | null }) {
  const { t } = useTranslation()
  return (
    <Block title={t('integrations.settings')}>
      {mailbox ? (
        <dl>
          <Definition name={t('integrations.mailbox.address')}>{mailbox.address}</Definition>
          <Definition name={t('integrations.mailbox.username')}>{mailbox.username}</Definition>
          <Definition name={t('integrations.mailbox.password')}>{mailbox.password}</Definition>
          <Definition name={t('integrations.mailbox.imap')}>{`${mailbox.imap_host}:${mailbox.imap_port}`}</Definition>
          <Definition name={t('integrations.mailbox.smtp')}>{`${mailbox.smtp_host}:${mailbox.smtp_port}`}</Definition>
          <Definition name={t('integrations.mailbox.folder')}>{mailbox.folder}</Definition>
        </dl>
      ) : (
        <p>{t('connections.not_connected')}</p>
      )}
    </Block>
  )
}
