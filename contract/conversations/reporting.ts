import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { FirstAnswerFigures } from '../help/first-answers.ts'
import { BooleanInput, Day, Id, IntegerInput, Text } from '../wire.ts'
import { ConversationSource, DeadlineKind } from './conversations.ts'

const DayCount = z.object({ date: Day.check(z.describe('A day in the account’s time zone.')), count: z.int32() })
export type DayCount = z.output<typeof DayCount>

/**
 * In seconds, 0 if nothing was measured. Means are exact, and so are medians, except in reports of more than 10,000
 * conversations or 50,000 messages without lists of single durations: these medians are accurate to 1 %, and below a
 * second they are 0.
 */
const Durations = {
  average: z.number().check(z.describe('In seconds.')),
  median: z.number().check(z.describe('In seconds.')),
}

const FirstReplyWeek = z.object({
  start_date: Day.check(z.describe('The Sunday it begins with.')),
  end_date: Day.check(z.describe('The Saturday it ends with.')),
  ...Durations,
  seconds_to_first_reply_list: z
    .array(z.number())
    .check(z.describe('One number for each conversation; empty unless `lists` is true.')),
})
const ResolutionWeek = z.object({
  start_date: Day.check(z.describe('The Sunday it begins with.')),
  end_date: Day.check(z.describe('The Saturday it ends with.')),
  ...Durations,
  seconds_to_resolution_list: z
    .array(z.number())
    .check(z.describe('One number for each conversation; empty unless `lists` is true.')),
})

/** A report about a range of days. */
export const Report = z.object({
  messages_by_date: z
    .array(DayCount)
    .check(z.describe('Days with messages, earliest first; days without are left out.')),
  conversations_by_date: z.array(DayCount).check(z.describe('Started conversations by day.')),
  sent_messages_by_date: z.array(DayCount).check(z.describe('Messages of the team by day.')),
  received_messages_by_date: z.array(DayCount).check(z.describe('Messages of customers by day.')),
  messages_per_user: z
    .array(z.object({ user: z.object({ id: z.int32(), email: z.string() }), count: z.int32() }))
    .check(z.describe('The most active users first.')),
  messages_by_weekday: z
    .array(
      z.object({
        day: z.string().check(z.describe('Name of the weekday.')),
        average: z.number().check(z.describe('Messages on a day with messages.')),
        total: z.int32().check(z.describe('Messages in the whole range.')),
      }),
    )
    .check(z.describe('Messages of customers, from Monday to Sunday. `average` counts only days with messages.')),
  messages_by_hour: z
    .array(
      z.object({
        weekday: z.int32().check(z.describe('From 0 for Monday.')),
        hour: z.int32().check(z.describe('From 0 to 23.')),
        count: z.int32(),
      }),
    )
    .check(
      z.describe(
        "Messages of customers, by weekday (0 is Monday) and hour in the account's time zone. Empty hours are left out.",
      ),
    ),
  average_time_to_first_reply: z.number().check(z.describe('In seconds, as all durations here.')),
  median_time_to_first_reply: z.number().check(z.describe('In seconds.')),
  average_time_to_resolution: z.number().check(z.describe('In seconds.')),
  median_time_to_resolution: z.number().check(z.describe('In seconds.')),
  first_reply_metrics_by_week: z
    .array(FirstReplyWeek)
    .check(z.describe('Weeks from Sunday to Saturday in which conversations started, newest first.')),
  resolution_metrics_by_week: z
    .array(ResolutionWeek)
    .check(z.describe('Weeks in which conversations started, newest first.')),
  customer_breakdown_by_browser: z
    .array(z.object({ browser: z.nullable(z.string()).check(z.describe('Null if it is unknown.')), count: z.int32() }))
    .check(z.describe('New customers in this range, the largest group first.')),
  customer_breakdown_by_os: z
    .array(z.object({ os: z.nullable(z.string()).check(z.describe('Null if it is unknown.')), count: z.int32() }))
    .check(z.describe('New customers, the largest group first.')),
  customer_breakdown_by_time_zone: z
    .array(
      z.object({
        time_zone: z.nullable(z.string()).check(z.describe('An IANA name, or null if it is unknown.')),
        count: z.int32(),
      }),
    )
    .check(z.describe('New customers, the largest group first.')),
  ratings: z
    .object({
      count: z.int32(),
      average: z.number().check(z.describe('Of all scores; 0 without ratings.')),
      by_score: z.array(z.object({ score: z.int32().check(z.describe('From 1 to 5.')), count: z.int32() })),
    })
    .check(z.describe('From 1 to 5.')),
  time_zone: z.string().check(z.describe('The time zone of the days.')),
  is_recounting: z
    .boolean()
    .check(z.describe('Whether figures are being counted again, because the time zone or the working hours changed.')),
})
export type Report = z.output<typeof Report>

/** How a policy's deadlines of one kind ended. */
export const DeadlineFigures = z.object({
  policy_name: z.string().check(z.describe('The name that the policy had.')),
  kind: DeadlineKind,
  met: z.int32().check(z.describe('Answered or closed in time.')),
  missed: z.int32().check(z.describe('Answered or closed late, or still not.')),
  open: z.int32().check(z.describe('Neither, until now.')),
})
export type DeadlineFigures = z.output<typeof DeadlineFigures>

/** Filters of a report; without any it covers the whole account. */
const filters = {
  inbox_id: z.optional(Id),
  source: z.optional(ConversationSource).check(z.describe('Only conversations that started there.')),
  assignee_id: z.optional(z.union([z.literal('nobody'), IntegerInput])).check(z.describe('A user id, or `nobody`.')),
  team_id: z.optional(Id).check(z.describe('Only conversations that belong to this team now.')),
  tag_id: z.optional(Id),
}
/** The days and filters of a report. */
export const ReportFilters = z.object(filters)
export type ReportFilters = z.output<typeof ReportFilters>

const Moment = Text(40).check(
  z.describe('A time with a zone, or without one in UTC; or a day in the account’s time zone, which is included.'),
)
const range = {
  from_date: z.optional(Moment).check(z.describe('First time that counts.')),
  to_date: z.optional(Moment).check(z.describe('Last time that counts.')),
}
const needs = ['from_date', 'to_date']

/** Reports, and their rows as CSV. */
export const reporting = {
  get: endpoint('user', 'GET', '/api/reporting', {
    summary: 'Returns statistics of conversations and messages between two moments.',
    needs,
    query: z.object({
      ...range,
      ...filters,
      working_hours: z.optional(BooleanInput).check(z.describe("Counts only time within the account's working hours.")),
      lists: z
        .optional(BooleanInput)
        .check(
          z.describe(
            '`false` omits the lists of single durations by week. Reports of many conversations are then as fast as those of few.',
          ),
        ),
    }),
    answer: data(Report),
  }),
  exportDays: endpoint('user', 'GET', '/api/reporting/days.csv', {
    summary: 'Exports the statistics as CSV, one row per day.',
    needs,
    media_type: 'text/csv',
    query: z.object({ ...range, ...filters }),
    answer: z.string(),
  }),
  deadlines: endpoint('user', 'GET', '/api/reporting/deadlines', {
    summary: 'Counts met and missed deadlines that started between two moments, by policy and kind.',
    needs,
    query: z.object({ ...range, ...filters }),
    answer: data(z.array(DeadlineFigures)),
  }),
  exportDeadlines: endpoint('user', 'GET', '/api/reporting/deadlines.csv', {
    summary: 'Exports the deadlines that started between two moments as CSV, one row each.',
    needs,
    media_type: 'text/csv',
    query: z.object({ ...range, ...filters }),
    answer: z.string(),
  }),
  firstAnswers: endpoint('user', 'GET', '/api/reporting/first_answers', {
    summary: 'Counts how the conversations ended in which the assistant wrote something between two moments.',
    needs,
    query: z.object({ ...range, ...filters }),
    answer: data(FirstAnswerFigures),
  }),
  exportConversations: endpoint('user', 'GET', '/api/reporting/conversations.csv', {
    summary: 'Exports the conversations started between two moments as CSV, one row each.',
    needs,
    media_type: 'text/csv',
    query: z.object({ ...range, ...filters }),
    answer: z.string(),
  }),
}
