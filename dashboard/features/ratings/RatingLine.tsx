import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useDelayPassed } from '../../ui/DelayedFallback.tsx'
import { ratingQuery } from './queries.ts'
import styles from './RatingLine.module.css'

/**
 * A quiet line below a conversation: what its customer thought of it when it was closed, also after it was opened again.
 * Nothing while they have not said.
 */
export function RatingLine({ conversation_id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const { data: rating } = useQuery({ ...ratingQuery(conversation_id), enabled: useDelayPassed() })
  if (!rating) return null
  return (
    <p className={styles.line} role="status">
      {t('rating.given', { score: rating.score })}
      {rating.comment && (
        <q className={styles.comment} dir="auto">
          {rating.comment}
        </q>
      )}
    </p>
  )
}
