import { expect } from 'vitest'
import type { Report } from '#contract/conversations/reporting.ts'

type ReplyWeek = Report['first_reply_metrics_by_week'][number]
type ResolutionWeek = Report['resolution_metrics_by_week'][number]

/** A matcher for a report that tolerates medians off by 1 %, and the last digits of the seconds. */
export function nearly(report: Report): Report {
  return {
    ...report,
    average_time_to_first_reply: about(report.average_time_to_first_reply),
    median_time_to_first_reply: within(report.median_time_to_first_reply),
    average_time_to_resolution: about(report.average_time_to_resolution),
    median_time_to_resolution: within(report.median_time_to_resolution),
    first_reply_metrics_by_week: report.first_reply_metrics_by_week.map((week) => ({
      ...nearlyWeek(week),
      seconds_to_first_reply_list: week.seconds_to_first_reply_list.map(about),
    })),
    resolution_metrics_by_week: report.resolution_metrics_by_week.map((week) => ({
      ...nearlyWeek(week),
      seconds_to_resolution_list: week.seconds_to_resolution_list.map(about),
    })),
  }
}

function nearlyWeek<Week extends ReplyWeek | ResolutionWeek>(week: Week): Week {
  return { ...week, average: about(week.average), median: within(week.median) }
}

const about = (value: number): number => expect.closeTo(value, 3)

/** Less than a second is reported as none. */
const within = (value: number): number =>
  expect.toSatisfy(
    (found: number) => Math.abs(found - value) <= (value < 1 ? value : value * 0.01),
    `within 1 % of ${value}`,
  )

/** A report as returned without the lists of single durations. */
export function withoutLists(report: Report): Report {
  return {
    ...report,
    first_reply_metrics_by_week: report.first_reply_metrics_by_week.map((week) => ({
      ...week,
      seconds_to_first_reply_list: [],
    })),
    resolution_metrics_by_week: report.resolution_metrics_by_week.map((week) => ({
      ...week,
      seconds_to_resolution_list: [],
    })),
  }
}
