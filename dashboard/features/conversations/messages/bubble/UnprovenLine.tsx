import { useTranslation } from 'react-i18next'
import type { UnprovenWords } from '#contract/conversations/conversations.ts'
import styles from './Bubble.module.css'

/** The line below the messages from before the visitor proved their identity. */
export function UnprovenLine({ claims }: Pick<UnprovenWords, 'claims'>) {
  const { t } = useTranslation()
  const { metadata, ...fields } = claims
  const keys = Object.entries(Object(metadata) as Record<string, unknown>).map(([key, value]) => `${key}: ${value}`)
  const listed = [...Object.values(fields), ...keys].join(', ')
  return (
    <div className={styles.unproven} role="note">
      <b>{t('thread.unproven')}</b> {listed && <bdi>{t('thread.unproven_claims', { listed })}</bdi>}
    </div>
  )
}
