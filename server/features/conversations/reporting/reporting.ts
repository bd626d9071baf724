import type { Report, ReportFilters } from '#contract/conversations/reporting.ts'
import type { Db } from '../../../platform/db/change.ts'
import { readSchedules } from '../../widget/working-hours/schedules.ts'
import { readConversationFigures } from './conversation-figures.ts'
import { readBreakdowns, readRatings } from './customer-figures.ts'
import { type RangeInput, readFrame } from './frame.ts'
import { readMessageFigures } from './message-figures.ts'

interface ReportOptions {
  working_hours?: boolean | undefined
  lists?: boolean | undefined
}

/**
 * All figures of a report.
 * @throws Refusal (400) without both dates, Invalid (422) for malformed ones
 */
export async function readReport(
  db: Db,
  account_id: string,
  { working_hours = false, lists = true, ...input }: RangeInput & ReportFilters & ReportOptions,
): Promise<Report> {
  const frame = await readFrame(db, account_id, input)
  const schedules = working_hours ? await readSchedules(db, account_id) : undefined
  // The two slow queries run in parallel; more would take too many connections from others.
  const [messages, conversations] = await Promise.all([
    readMessageFigures(db, frame),
    readConversationFigures(db, frame, { schedules, lists }),
  ])
  return {
    ...messages,
    ...conversations,
    ...(await readBreakdowns(db, frame)),
    ratings: await readRatings(db, frame),
    time_zone: frame.time_zone,
    is_recounting: frame.is_recounting,
  }
}
