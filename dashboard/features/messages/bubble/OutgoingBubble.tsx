import { useTranslation } from 'react-i18next'
import { DelayedFallback } from '../../../ui/DelayedFallback.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import type { Outgoing } from '../sending/outbox.ts'
import { editUnsent, retrySending } from '../sending/sending.ts'
import { Attachments } from './Attachments.tsx'
import styles from './Bubble.module.css'
import { NoteSign } from './Bubble.tsx'
import { MessageText } from './MessageText.tsx'

/** A message on its way, or one that could not be sent: its words stay, with a way to try again. */
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
  const hasFailed = outgoing.state === 'failed'
  return (
    <article
      className={styles.line}
      data-kind="own"
      data-note={isNote || undefined}
      data-first={isFirst || undefined}
      data-state={outgoing.state}
    >
      <div className={styles.body}>
        {isFirst && isNote && (
          <div className={styles.author}>
            {t('thread.you')}
            <NoteSign />
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

/** Why it was not sent, and what can be done. Its words stay where they are meanwhile. */
function Failure({ outgoing }: { outgoing: Outgoing }) {
  const { t } = useTranslation()
  return (
    <div className={styles.failure} role="alert">
      <span>{outgoing.error}</span>
      <button type="button" aria-label={t('retry')} title={t('retry')} onClick={() => retrySending(outgoing.id)}>
        <Icon name="retry" size={18} />
      </button>
      <button type="button" onClick={() => editUnsent(outgoing.id)}>
        {t('thread.edit')}
      </button>
      {outgoing.waiting && <div className={styles.hint}>{t('thread.waiting')}</div>}
    </div>
  )
}
