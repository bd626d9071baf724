import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { Report } from '#contract/conversations/reporting.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { shortDay, weekdayName } from '../../../platform/times.ts'
import { useTeam } from '../../accounts/accounts/account.ts'
import { ChartCard } from './ChartCard.tsx'
import { BarList, Bars, Lines } from './Charts.tsx'
import { countsOn, sumOf, topOf } from './figures.ts'
import { HeatMap } from './HeatMap.tsx'
import { daysOf, type Range } from './range.ts'

interface ByDayProps {
  title: string
  /** What is counted. */
  name: string
  range: Range
  counts: Report['messages_by_date']
  /** The previous period, aligned day by day. */
  before?: { range: Range; counts: Report['messages_by_date'] } | undefined
}

/** Counts per day. */
export function ByDayCard({ title, name, range, counts, before }: ByDayProps) {
  const { t } = useTranslation()
  const days = daysOf(range)
  const values = countsOn(days, counts)
  const earlier = before && countsOn(daysOf(before.range), before.counts)
  const isEmpty = sumOf(counts) === 0
  return (
    <ChartCard
      title={title}
      columns={[t('reporting.date'), name, ...(earlier ? [t('reporting.period_before')] : [])]}
      rows={isEmpty ? [] : days.map((day, at) => [day, `${values[at]}`, ...(earlier ? [`${earlier[at] ?? 0}`] : [])])}
    >
      <Lines
        label={title}
        names={days.map(shortDay)}
        series={[
          { name, color: 'accent', values },
          ...(earlier ? [{ name: t('reporting.period_before'), color: 'quiet' as const, values: earlier }] : []),
        ]}
      />
    </ChartCard>
  )
}

/** Sent and received messages. */
export function SentAndReceivedCard({ range, report }: { range: Range; report: Report }) {
  const { t } = useTranslation()
  const title = t('reporting.charts.sent_received')
  const days = daysOf(range)
  const sent = countsOn(days, report.sent_messages_by_date)
  const received = countsOn(days, report.received_messages_by_date)
  const isEmpty = report.messages_by_date.length === 0
  return (
    <ChartCard
      wide
      title={title}
      columns={[t('reporting.date'), t('reporting.sent'), t('reporting.received')]}
      rows={isEmpty ? [] : days.map((day, at) => [day, `${sent[at]}`, `${received[at]}`])}
    >
      <Lines
        label={title}
        names={days.map(shortDay)}
        series={[
          { name: t('reporting.sent'), color: 'accent', values: sent },
          { name: t('reporting.received'), color: 'second', values: received },
        ]}
      />
    </ChartCard>
  )
}

/** Who has left the team is known by their address only. */
const NAMELESS = { display_name: null, full_name: null }

/** Messages of each member of the team. */
export function PerUserCard({ report }: { report: Report }) {
  const { t } = useTranslation()
  const title = t('reporting.charts.per_user')
  const { account } = useTeam()
  const named = report.messages_per_user.map(({ user, count }) => {
    const name = userName(account.users.find(({ id }) => id === user.id) ?? { ...NAMELESS, ...user })
    return { name, email: user.email, count }
  })
  // Two of the same name are told apart by their addresses.
  const isShared = (name: string) => named.filter((row) => row.name === name).length > 1
  const rows = named.map(({ name, email, count }) => ({ name: isShared(name) ? `${name} (${email})` : name, count }))
  return <CountsCard title={title} column={t('reporting.user')} rows={rows} />
}

export function WeekdayCard({ report }: { report: Report }) {
  const { t } = useTranslation()
  const title = t('reporting.charts.weekday')
  const days = report.messages_by_weekday
  const isEmpty = days.every(({ total }) => total === 0)
  return (
    <ChartCard
      title={title}
      columns={[t('reporting.day'), t('reporting.average'), t('reporting.total')]}
      rows={
        isEmpty
          ? []
          : days.map(({ average, total }, day) => [
              weekdayName(day, 'long'),
              formatNumber(average, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
              formatNumber(total),
            ])
      }
    >
      <Bars
        label={title}
        names={days.map((_, day) => weekdayName(day, 'short'))}
        series={[
          {
            name: t('reporting.average'),
            color: 'accent',
            values: days.map(({ average }) => Math.round(average * 10) / 10),
          },
        ]}
      />
    </ChartCard>
  )
}

export function HeatCard({ report }: { report: Report }) {
  const { t } = useTranslation()
  const title = t('reporting.charts.heat')
  return (
    <ChartCard
      wide
      title={title}
      columns={[t('reporting.hour'), t('reporting.count')]}
      rows={report.messages_by_hour.map(({ weekday, hour, count }) => [
        `${weekdayName(weekday, 'long')}, ${hour}:00`,
        `${count}`,
      ])}
    >
      <HeatMap label={title} cells={report.messages_by_hour} />
    </ChartCard>
  )
}

/** New customers by browser, operating system or time zone; only the largest groups. */
export function BreakdownCard({ kind, report }: { kind: 'browser' | 'os' | 'time_zone'; report: Report }) {
  const { t } = useTranslation()
  const other = t('reporting.other')
  const unknown = t('reporting.unknown')
  const rows = {
    browser: () => topOf(report.customer_breakdown_by_browser, ({ browser }) => browser ?? unknown, other),
    os: () => topOf(report.customer_breakdown_by_os, ({ os }) => os ?? unknown, other),
    time_zone: () => topOf(report.customer_breakdown_by_time_zone, ({ time_zone }) => time_zone ?? unknown, other),
  }[kind]()
  return <CountsCard title={t(`reporting.charts.${kind}`)} column={t(`reporting.charts.${kind}`)} rows={rows} />
}

export function RatingsCard({ report }: { report: Report }) {
  const { t } = useTranslation()
  const rows = [...report.ratings.by_score]
    .reverse()
    .map(({ score, count }) => ({ name: t('reporting.stars', { count: score }), count }))
  return <CountsCard title={t('reporting.charts.ratings')} column={t('reporting.rating')} rows={rows} />
}

interface CountsProps {
  title: string
  headline?: ReactNode
  column: string
  rows: { name: string; count: number }[]
}

/** Named counts. */
export function CountsCard({ title, headline, column, rows }: CountsProps) {
  const { t } = useTranslation()
  return (
    <ChartCard
      title={title}
      headline={headline}
      columns={[column, t('reporting.count')]}
      rows={rows.map(({ name, count }) => [name, `${count}`])}
    >
      <BarList
        label={title}
        names={rows.map(({ name }) => name)}
        series={[{ name: t('reporting.count'), color: 'accent', values: rows.map(({ count }) => count) }]}
      />
    </ChartCard>
  )
}
