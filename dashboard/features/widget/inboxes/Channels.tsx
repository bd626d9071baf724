import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Authorization } from '#contract/connections/integrations.ts'
import { type InboxIntegration, integrationsWhere, kindOf, textKeyOf } from '#contract/connections/kinds.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { forwardingQuery, integrationsQuery } from '../../connections/authorizations/queries.ts'
import { StatusPill } from '../../connections/authorizations/StatusPill.tsx'
import { ChannelSign } from './ChannelSign.tsx'
import styles from './Channels.module.css'
import { installationQuery } from './installation.ts'

interface ChannelsProps {
  inbox_id: string
  kind: 'source' | 'reply'
}

type Channel = InboxIntegration | 'chat'

/** The channels by which conversations reach an inbox, and those in which the team replies without the dashboard. */
const CHANNELS = {
  source: ['chat', ...integrationsWhere(({ section }) => section === 'source')],
  reply: integrationsWhere(({ section }) => section === 'reply'),
} as { source: Channel[]; reply: Channel[] }

/** The channels of an inbox with their state. Admins can follow a link to set each up. */
export function Channels({ inbox_id, kind }: ChannelsProps) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        {t(`inboxes.${kind}_channels`)}
      </h2>
      <p className={styles.about}>{t(`inboxes.${kind}_channels_text`)}</p>
      <ul className={styles.list}>
        {CHANNELS[kind].map((channel) => (
          <li key={channel}>
            {me.role === 'admin' ? (
              <Link
                to={`/inboxes/${inbox_id}/${channel === 'chat' ? 'chat-widget' : kindOf(channel).path}`}
                className={styles.channel}
              >
                <ChannelContent channel={channel} inbox_id={inbox_id} />
                <Icon name="chevron" size={16} className={styles.arrow} />
              </Link>
            ) : (
              <div className={styles.channel}>
                <ChannelContent channel={channel} inbox_id={inbox_id} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The state of a channel. */
function ChannelState({ channel, inbox_id }: ChannelProps) {
  if (channel === 'chat') return <ChatState inbox_id={inbox_id} />
  if (channel === 'ses') return <ForwardingState inbox_id={inbox_id} />
  return <ConnectionState channel={channel} inbox_id={inbox_id} />
}

function ConnectionState({ channel, inbox_id }: ChannelProps) {
  const { data } = useQuery(integrationsQuery)
  const isThis = (authorization: Authorization) =>
    authorization.inbox_id === inbox_id && authorization.integration === channel
  return data ? <StatusPill authorization={data.data.find(isThis)} /> : null
}

/** Only admins can load forwarding addresses. */
function ForwardingState({ inbox_id }: { inbox_id: string }) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const { data } = useQuery({ ...forwardingQuery, enabled: me.role === 'admin' })
  if (!data) return null
  const isThere = data.some((address) => address.inbox_id === inbox_id)
  return isThere ? (
    <Pill tone="success">{t('connections.states.connected')}</Pill>
  ) : (
    <StatusPill authorization={undefined} />
  )
}

/** Chat works without setup, but needs the widget on a website. */
function ChatState({ inbox_id }: { inbox_id: string }) {
  const { t } = useTranslation()
  const { data: seen } = useQuery(installationQuery(inbox_id))
  if (!seen) return null
  if (!seen.host) return <Pill tone="warning">{t('inboxes.not_installed')}</Pill>
  return <Pill tone="success">{t('inboxes.installed_on', { host: seen.host })}</Pill>
}

interface ChannelProps {
  channel: Channel
  inbox_id: string
}

function ChannelContent({ channel, inbox_id }: ChannelProps) {
  const { t } = useTranslation()
  const key = textKeyOf(channel)
  return (
    <>
      <ChannelSign name={channel} />
      <span className={styles.words}>
        <span className={styles.name}>{t(`inboxes.channels.${key}`)}</span>
        <span className={styles.text}>{t(`inboxes.channels.${key}_text`)}</span>
      </span>
      <ChannelState channel={channel} inbox_id={inbox_id} />
    </>
  )
}
