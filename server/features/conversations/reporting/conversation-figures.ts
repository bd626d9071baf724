import type { Report } from '#contract/conversations/reporting.ts'
import { addDays, sundayBefore } from '#contract/days.ts'
import type { Db } from '../../../platform/db/change.ts'
import type { Schedules } from '../../widget/working-hours/schedules.ts'
import { readTimes } from './conversation-rows.ts'
import type { ReportRange } from './frame.ts'

type ConversationFigures = Pick<
  Report,
  | 'conversations_by_date'
  | 'average_time_to_first_reply'
  | 'median_time_to_first_reply'
  | 'average_time_to_resolution'
  | 'median_time_to_resolution'
  | 'first_reply_metrics_by_week'
  | 'resolution_metrics_by_week'
>

interface Options {
  /** If given, only time within working hours counts. */
  schedules: Schedules | undefined
  /** Whether single durations by week are included. */
  lists: boolean
}

/** Figures of conversations started in the frame; resolution times of those that are closed now. */
export async function readConversationFigures(
  db: Db,
  frame: ReportRange,
  { schedules, lists }: Options,
): Promise<ConversationFigures> {
  const rows = await readTimes(db, frame, schedules, lists)
  const total = rows.find(({ day, week }) => day === null && week === null)
  const weeks = weeksOf(frame).map((start_date) => ({
    start_date,
    end_date: addDays(start_date, 6),
    times: rows.find(({ week }) => week === start_date),
  }))
  return {
    conversations_by_date: rows.flatMap(({ day, count }) => (day === null ? [] : [{ date: day, count }])),
    average_time_to_first_reply: total?.reply_average ?? 0,
    median_time_to_first_reply: total?.reply_median ?? 0,
    average_time_to_resolution: total?.resolution_average ?? 0,
    median_time_to_resolution: total?.resolution_median ?? 0,
    first_reply_metrics_by_week: weeks.map(({ times, ...week }) => ({
      ...week,
      average: times?.reply_average ?? 0,
      median: times?.reply_median ?? 0,
      seconds_to_first_reply_list: times?.replies ?? [],
    })),
    resolution_metrics_by_week: weeks.map(({ times, ...week }) => ({
      ...week,
      average: times?.resolution_average ?? 0,
      median: times?.resolution_median ?? 0,
      seconds_to_resolution_list: times?.resolutions ?? [],
    })),
  }
}

/** The Sundays on which the frame's weeks begin, newest first. */
function weeksOf({ first_day, last_day }: ReportRange): string[] {
  const weeks: string[] = []
  const earliest = sundayBefore(first_day)
  for (let week = sundayBefore(last_day); week >= earliest; week = addDays(week, -7)) weeks.push(week)
  return weeks
}
