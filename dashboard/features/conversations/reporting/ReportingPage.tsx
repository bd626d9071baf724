import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Report, reporting } from '#contract/conversations/reporting.ts'
import { download } from '../../../platform/http/download.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { DelayedFallback } from '../../../ui/DelayedFallback.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PartBoundary, Parts } from '../../../ui/PartBoundary.tsx'
import { Bone } from '../../../ui/Skeleton.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import {
  BreakdownCard,
  ByDayCard,
  HeatCard,
  PerUserCard,
  RatingsCard,
  SentAndReceivedCard,
  WeekdayCard,
} from './CountCards.tsx'
import { DeadlinesCard } from './DeadlinesCard.tsx'
import { DurationCard } from './DurationCard.tsx'
import { FilterBar } from './FilterBar.tsx'
import { FirstAnswersCards } from './FirstAnswersCards.tsx'
import { frameOf, type ReportQuestion, reportQuery } from './queries.ts'
import { RangeBar } from './RangeBar.tsx'
import styles from './Reporting.module.css'
import { rangeBefore } from './range.ts'
import { Summary } from './Summary.tsx'
import { useReportSettings } from './useReportSettings.ts'

/** How much is written, how fast the team replies, and who writes. */
export function ReportingPage() {
  const { t } = useTranslation()
  const { account } = useTeam()
  const settings = useReportSettings(account.time_zone)
  const { question, compare } = settings
  const report = useQuery(reportQuery(question))
  const before = useQuery({ ...reportQuery(beforeOf(question)), enabled: compare })
  return (
    <Page
      title={t('reporting.title')}
      text={t('reporting.text', { zone: report.data?.time_zone ?? account.time_zone ?? 'UTC' })}
      actions={<ExportButtons question={question} />}
    >
      <div className={styles.bars}>
        <RangeBar settings={settings} />
        <FilterBar settings={settings} />
      </div>
      {report.data?.is_recounting && <Banner>{t('reporting.recounting')}</Banner>}
      {report.data ? (
        <div className={styles.report} aria-busy={report.isPlaceholderData}>
          <Figures question={question} report={report.data} before={compare ? before.data : undefined} />
        </div>
      ) : (
        <QueryView query={report} failed={t('reporting.failed')} loading={<ReportSkeleton label={t('loading')} />} />
      )}
    </Page>
  )
}

const CARDS = ['a', 'b', 'c', 'd']

/** Cards where the figures will be. */
function ReportSkeleton({ label }: { label: string }) {
  return (
    <DelayedFallback>
      <div className={styles.report} role="status" aria-label={label}>
        <Bone height={140} />
        <div className={styles.cards}>
          {CARDS.map((card) => (
            <div key={card} className={styles.card}>
              <Bone width="40%" />
              <Bone height={220} />
            </div>
          ))}
        </div>
      </div>
    </DelayedFallback>
  )
}

function beforeOf(question: ReportQuestion): ReportQuestion {
  return { ...question, ...rangeBefore(question) }
}

interface FiguresProps {
  question: ReportQuestion
  report: Report
  before: Report | undefined
}

function Figures({ question, report, before }: FiguresProps) {
  const { t } = useTranslation()
  const earlier = (of: (pastReport: Report) => Report['messages_by_date']) =>
    before && { range: rangeBefore(question), counts: of(before) }
  return (
    <>
      <PartBoundary name="summary" shows={report}>
        <Summary report={report} before={before} />
      </PartBoundary>
      <div className={styles.cards}>
        <Parts name="chart" shows={report}>
          <ByDayCard
            title={t('reporting.charts.conversations')}
            name={t('reporting.conversations')}
            range={question}
            counts={report.conversations_by_date}
            before={earlier((pastReport) => pastReport.conversations_by_date)}
          />
          <ByDayCard
            title={t('reporting.charts.messages')}
            name={t('reporting.messages')}
            range={question}
            counts={report.messages_by_date}
            before={earlier((pastReport) => pastReport.messages_by_date)}
          />
          <SentAndReceivedCard range={question} report={report} />
          <DurationCard
            title={t('reporting.charts.first_reply')}
            average={report.average_time_to_first_reply}
            median={report.median_time_to_first_reply}
            weeks={report.first_reply_metrics_by_week}
          />
          <DurationCard
            title={t('reporting.charts.resolution')}
            average={report.average_time_to_resolution}
            median={report.median_time_to_resolution}
            weeks={report.resolution_metrics_by_week}
          />
          <DeadlinesCard question={question} />
          <FirstAnswersCards question={question} />
          <HeatCard report={report} />
          <PerUserCard report={report} />
          <WeekdayCard report={report} />
          <BreakdownCard kind="browser" report={report} />
          <BreakdownCard kind="os" report={report} />
          <BreakdownCard kind="time_zone" report={report} />
          <RatingsCard report={report} />
        </Parts>
      </div>
    </>
  )
}

function ExportButtons({ question }: { question: ReportQuestion }) {
  const { t } = useTranslation()
  type Export = typeof reporting.exportDays | typeof reporting.exportConversations | typeof reporting.exportDeadlines
  async function save(endpoint: Export, name: string) {
    try {
      await download(endpoint, frameOf(question), `${name}-${question.from}-${question.to}.csv`)
    } catch (error) {
      showError(t('reporting.export_failed'), error)
    }
  }
  return (
    <>
      <Button onClick={() => save(reporting.exportDays, 'days')}>{t('reporting.export_days')}</Button>
      <Button onClick={() => save(reporting.exportConversations, 'conversations')}>
        {t('reporting.export_conversations')}
      </Button>
      <Button onClick={() => save(reporting.exportDeadlines, 'deadlines')}>{t('reporting.export_deadlines')}</Button>
    </>
  )
}
