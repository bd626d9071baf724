import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ANSWER_OUTCOMES } from '#contract/help/first-answers.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Bone } from '../../../ui/Skeleton.tsx'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'
import { CountsCard } from './CountCards.tsx'
import { firstAnswersQuery, type ReportQuestion } from './queries.ts'
import styles from './Reporting.module.css'

/**
 * How the conversations ended that the assistant answered first, and why a person went on. Nothing for companies that do
 * not let it answer.
 */
export function FirstAnswersCards({ question }: { question: ReportQuestion }) {
  const { t } = useTranslation()
  const { data: inboxes = [] } = useQuery(inboxesQuery)
  const query = useQuery(firstAnswersQuery(question))
  const isUsed = inboxes.some(({ first_answers }) => first_answers !== 'never') || !!query.data?.answered
  if (!isUsed) return null
  if (!query.data) {
    return (
      <section className={styles.card} data-wide aria-label={t('reporting.charts.first_answers')}>
        <QueryView query={query} failed={t('reporting.failed')} loading={<Bone height={220} />} />
      </section>
    )
  }
  const figures = query.data
  const outcomes = ANSWER_OUTCOMES.map((outcome) => ({
    name: t(`first_answers.outcomes.${outcome}`),
    count: figures[outcome],
  }))
  const reasons = figures.handed_over_by_reason.map(({ reason, count }) => ({
    name: reason ? t(`first_answers.reasons.${reason}`) : t('reporting.taken_over'),
    count,
  }))
  return (
    <>
      <CountsCard
        title={t('reporting.charts.first_answers')}
        column={t('first_answers.outcome')}
        rows={figures.answered > 0 ? outcomes : []}
        headline={
          figures.answered > 0 && (
            <>
              {t('reporting.conversations')} <strong>{formatNumber(figures.answered)}</strong>
            </>
          )
        }
      />
      <CountsCard title={t('reporting.charts.handed_over')} column={t('reporting.reason')} rows={reasons} />
    </>
  )
}
