import { useTranslation } from 'react-i18next'
import type { Report } from '#contract/conversations/reporting.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { Change } from './Change.tsx'
import { inHours, sumOf } from './figures.ts'
import styles from './Reporting.module.css'

interface SummaryProps {
  report: Report
  /** The previous period, if it is compared. */
  before: Report | undefined
}

/** Nothing was measured in a period without any: its median is not zero seconds. */
const orDash = (write: (value: number) => string) => (value: number) => (value === 0 ? '–' : write(value))

/** The key figures. */
export function Summary({ report, before }: SummaryProps) {
  const { t } = useTranslation()
  const figures = [
    {
      name: t('reporting.conversations'),
      of: (report: Report) => sumOf(report.conversations_by_date),
      write: formatNumber,
    },
    {
      name: t('reporting.received'),
      of: (report: Report) => sumOf(report.received_messages_by_date),
      write: formatNumber,
    },
    { name: t('reporting.sent'), of: (report: Report) => sumOf(report.sent_messages_by_date), write: formatNumber },
    {
      name: t('reporting.first_reply'),
      of: (report: Report) => report.median_time_to_first_reply,
      write: orDash(inHours),
      lowerIsBetter: true,
    },
    {
      name: t('reporting.resolution'),
      of: (report: Report) => report.median_time_to_resolution,
      write: orDash(inHours),
      lowerIsBetter: true,
    },
    {
      name: t('reporting.rating'),
      of: (report: Report) => report.ratings.average,
      write: orDash((value) => formatNumber(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })),
    },
  ]
  return (
    <dl className={styles.summary}>
      {figures.map(({ name, of, write, lowerIsBetter }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figures">
            <strong>{write(of(report))}</strong>
            {before && of(before) > 0 && (
              <span className={styles.before}>
                <Change from={of(before)} to={of(report)} lowerIsBetter={lowerIsBetter} />{' '}
                {t('reporting.before', { value: write(of(before)) })}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
