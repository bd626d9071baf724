import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { Avatar } from '../../../../ui/Avatar.tsx'
import { DelayedFallback } from '../../../../ui/DelayedFallback.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { useTeam } from '../../../accounts/accounts/account.ts'
import type { Outgoing } from '../sending/outbox.ts'
import { editUnsent, retrySending } from '../sending/sending.ts'
import { Attachments } from './Attachments.tsx'
import styles from './Bubble.module.css'
import { PrivateNoteLabel } from './Bubble.tsx'
import { MessageText } from './MessageText.tsx'

/** A message that is being sent, or that could not be sent, with a retry button. */
export function OutgoingBubble({
  outgoing,
  isNote,
  isFirst,
}: {
  outgoing: Outgoing
  isNote: boolean
  isFirst: boolean
}) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const author = account.users.find(({ id }) => id === me.id)
  const hasFailed = outgoing.state === 'failed'
  return (
    <article
      className={styles.line}
      data-kind="own"
      data-side="team"
      data-note={isNote || undefined}
      data-first={isFirst || undefined}
      data-state={outgoing.waiting ? 'waiting' : outgoing.state}
    >
      <span className={styles.face}>
        {isFirst && <Avatar id={me.id} name={userName(author)} photo={author?.profile_photo_url ?? null} size={28} />}
      </span>
      <div className={styles.body}>
        {isFirst && isNote && (
          <div className={styles.author}>
            {t('thread.you')}
            <PrivateNoteLabel />
          </div>
        )}
        <div className={styles.bubble}>
          {outgoing.body && <MessageText body={outgoing.body} mentions={outgoing.mentions?.map(({ name }) => name)} />}
          <Attachments files={outgoing.files ?? []} />
        </div>
        {hasFailed ? (
          <Failure outgoing={outgoing} />
        ) : (
          <div className={styles.meta}>
            <DelayedFallback ms={400}>{t('thread.sending')}</DelayedFallback>
          </div>
        )}
      </div>
    </article>
  )
}

/** Why it was not sent, with actions. */
function Failure({ outgoing }: { outgoing: Outgoing }) {
  const { t } = useTranslation()
  // It is sent automatically, so it has not failed.
  if (outgoing.waiting) {
    return (
      <div className={styles.meta} role="status">
        <Icon name="clock" size={14} />
        {t('thread.waiting')}
        <button type="button" className={styles.again} onClick={() => retrySending(outgoing.id)}>
          {t('retry')}
        </button>
        <button type="button" className={styles.again} onClick={() => editUnsent(outgoing.id)}>
          {t('thread.edit')}
        </button>
      </div>
    )
  }
  return (
    <div className={styles.failure} role="alert">
      <span>{outgoing.error}</span>
      <button type="button" aria-label={t('retry')} title={t('retry')} onClick={() => retrySending(outgoing.id)}>
        <Icon name="retry" size={18} />
      </button>
      <button type="button" onClick={() => editUnsent(outgoing.id)}>
        {t('thread.edit')}
      </button>
    </div>
  )
}
