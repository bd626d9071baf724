import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Icon } from '../../ui/Icon.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { useTeam } from '../accounts/account.ts'
import styles from './Channels.module.css'
import { type Channel, isReady } from './channels.ts'

interface ChannelsProps {
  inbox_id: string
  kind: 'source' | 'reply'
  channels: readonly Channel[]
}

/** Channels of an inbox with how they stand. Each leads admins to where it is set up. */
export function Channels({ inbox_id, kind, channels }: ChannelsProps) {
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
        {channels.map((channel) => (
          <li key={channel.name}>
            {me.role === 'admin' ? (
              <Link to={`/inboxes/${inbox_id}/${channel.path}`} className={styles.channel}>
                <Standing channel={channel} />
                <Icon name="chevron" size={16} className={styles.arrow} />
              </Link>
            ) : (
              <div className={styles.channel}>
                <Standing channel={channel} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Standing({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const ready = isReady(channel)
  return (
    <>
      <span className={styles.words}>
        <span className={styles.name}>{t(`inboxes.channels.${channel.name}`)}</span>
        <span className={styles.text}>{t(`inboxes.channels.${channel.name}_text`)}</span>
      </span>
      <Pill tone={ready ? 'success' : 'neutral'}>{t(ready ? 'inboxes.ready' : 'inboxes.not_connected')}</Pill>
    </>
  )
}
