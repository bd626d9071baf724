import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ChartCard } from './ChartCard.tsx'
import { BarList } from './Charts.tsx'
import { deadlinesQuery, type ReportQuestion } from './queries.ts'

/** Met and missed deadlines by policy and kind. Nothing for companies without policies. */
export function DeadlinesCard({ question }: { question: ReportQuestion }) {
  const { t } = useTranslation()
  const { data: figures = [] } = useQuery(deadlinesQuery(question))
  if (figures.length === 0) return null
  const title = t('reporting.charts.deadlines')
  const columns = [t('reporting.policy'), t('reporting.met'), t('reporting.missed'), t('reporting.still_open')]
  const names = figures.map(({ policy_name, kind }) => `${policy_name}: ${t(`deadlines.kinds.${kind}`)}`)
  return (
    <ChartCard
      wide
      title={title}
      columns={columns}
      rows={figures.map(({ met, missed, open }, at) => [names[at]!, `${met}`, `${missed}`, `${open}`])}
    >
      <BarList
        label={title}
        names={names}
        series={[
          { name: t('reporting.met'), color: 'accent', values: figures.map(({ met }) => met) },
          { name: t('reporting.missed'), color: 'second', values: figures.map(({ missed }) => missed) },
        ]}
      />
    </ChartCard>
  )
}
