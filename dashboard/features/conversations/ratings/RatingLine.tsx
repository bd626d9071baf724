import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useDelayPassed } from '../../../ui/DelayedFallback.tsx'
import { ratingQuery } from './queries.ts'
import styles from './RatingLine.module.css'

/** The customer's rating, below the conversation, also after it was reopened. Renders nothing without a rating. */
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
