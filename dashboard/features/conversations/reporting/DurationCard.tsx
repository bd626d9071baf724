import { useTranslation } from 'react-i18next'
import { shortDay } from '../../../platform/times.ts'
import { Change } from './Change.tsx'
import { ChartCard } from './ChartCard.tsx'
import { Lines } from './Charts.tsx'
import { inHours } from './figures.ts'

interface DurationCardProps {
  title: string
  average: number
  median: number
  /** The newest week first. */
  weeks: readonly { start_date: string; average: number; median: number }[]
}

/** A duration: over the whole period, by week, and compared with the week before. */
export function DurationCard({ title, average, median, weeks }: DurationCardProps) {
  const { t } = useTranslation()
  const oldestFirst = [...weeks].reverse()
  const isEmpty = weeks.every((week) => week.average === 0)
  const [newest, previous] = weeks
  return (
    <ChartCard
      title={title}
      headline={
        !isEmpty && (
          <>
            {t('reporting.average')} <strong>{inHours(average)}</strong> · {t('reporting.median')}{' '}
            <strong>{inHours(median)}</strong>
            {newest && previous && newest.average > 0 && previous.average > 0 && (
              <>
                {' · '}
                <Change from={previous.average} to={newest.average} lowerIsBetter />{' '}
                {t('reporting.change_from_week', { change: '' }).trim()}
              </>
            )}
          </>
        )
      }
      columns={[t('reporting.week'), t('reporting.average'), t('reporting.median')]}
      rows={
        isEmpty
          ? []
          : oldestFirst.map((week) => [
              t('reporting.week_of', { day: shortDay(week.start_date) }),
              inHours(week.average),
              inHours(week.median),
            ])
      }
    >
      <Lines
        label={title}
        names={oldestFirst.map(({ start_date }) => shortDay(start_date))}
        series={[
          { name: t('reporting.average'), color: 'accent', values: oldestFirst.map((week) => week.average || null) },
          { name: t('reporting.median'), color: 'second', values: oldestFirst.map((week) => week.median || null) },
        ]}
        write={inHours}
      />
    </ChartCard>
  )
}
