import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { Day, GivenBoolean, GivenInteger, Id, Text } from '../wire.ts'

/** In the order of the charts. */
export const CONVERSATION_SOURCES = ['chat', 'slack', 'email', 'sms', 'api', 'sandbox'] as const

const DayCount = z.object({ date: Day, count: z.int32() })
export type DayCount = z.output<typeof DayCount>

/**
 * In seconds, 0 if nothing was measured. Means are exact, and so are medians, except in reports of more than 10,000
 * conversations or 50,000 messages without lists of single durations: these medians are accurate to 1 %, and below a
 * second they are 0.
 */
const Durations = { average: z.number(), median: z.number() }

const FirstReplyWeek = z.object({
  start_date: Day,
  end_date: Day,
  ...Durations,
  seconds_to_first_reply_list: z.array(z.number()),
})
const ResolutionWeek = z.object({
  start_date: Day,
  end_date: Day,
  ...Durations,
  seconds_to_resolution_list: z.array(z.number()),
})

/** A report about a range of days. */
export const Report = z.object({
  /** Days with messages, earliest first; days without are left out. */
  messages_by_date: z.array(DayCount),
  conversations_by_date: z.array(DayCount),
  sent_messages_by_date: z.array(DayCount),
  received_messages_by_date: z.array(DayCount),
  /** The most active users first. */
  messages_per_user: z.array(z.object({ user: z.object({ id: z.int32(), email: z.string() }), count: z.int32() })),
  /** Messages of customers, from Monday to Sunday. `average` counts only days with messages. */
  messages_by_weekday: z.array(z.object({ day: z.string(), average: z.number(), total: z.int32() })),
  /** Messages of customers, by weekday (0 is Monday) and hour in the account's time zone. Empty hours are left out. */
  messages_by_hour: z.array(z.object({ weekday: z.int32(), hour: z.int32(), count: z.int32() })),
  /** In seconds, as all durations here. */
  average_time_to_first_reply: z.number(),
  median_time_to_first_reply: z.number(),
  average_time_to_resolution: z.number(),
  median_time_to_resolution: z.number(),
  /** Weeks from Sunday to Saturday in which conversations started, newest first. */
  first_reply_metrics_by_week: z.array(FirstReplyWeek),
  resolution_metrics_by_week: z.array(ResolutionWeek),
  /** New customers in this range, the largest group first. */
  customer_breakdown_by_browser: z.array(z.object({ browser: z.nullable(z.string()), count: z.int32() })),
  customer_breakdown_by_os: z.array(z.object({ os: z.nullable(z.string()), count: z.int32() })),
  customer_breakdown_by_time_zone: z.array(z.object({ time_zone: z.nullable(z.string()), count: z.int32() })),
  /** From 1 to 5. */
  ratings: z.object({
    count: z.int32(),
    average: z.number(),
    by_score: z.array(z.object({ score: z.int32(), count: z.int32() })),
  }),
  /** The time zone of the days. */
  time_zone: z.string(),
  /** Whether figures are being counted again, because the time zone or the working hours changed. */
  is_recounting: z.boolean(),
})
export type Report = z.output<typeof Report>

/** Filters of a report; without any it covers the whole account. */
const filters = {
  inbox_id: z.optional(Id),
  source: z.optional(z.enum(CONVERSATION_SOURCES)),
  assignee_id: z.optional(z.union([z.literal('nobody'), GivenInteger])),
  tag_id: z.optional(Id),
}
/** The days and filters of a report. */
export const ReportFilters = z.object(filters)
export type ReportFilters = z.output<typeof ReportFilters>

const Moment = Text(40).check(
  z.describe('A time with a zone, or without one in UTC; or a day in the account’s time zone, which is included.'),
)
const range = { from_date: z.optional(Moment), to_date: z.optional(Moment) }
const needs = ['from_date', 'to_date']

/** Reports, and their rows as CSV. */
export const reporting = {
  get: endpoint('user', 'GET', '/api/reporting', {
    summary: 'Returns statistics of conversations and messages between two moments.',
    needs,
    query: z.object({
      ...range,
      ...filters,
      /** Counts only time within the account's working hours. */
      working_hours: z.optional(GivenBoolean),
      /**
       * `false` omits the lists of single durations by week. Reports of many conversations are then as fast as those of
       * few.
       */
      lists: z.optional(GivenBoolean),
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
  exportConversations: endpoint('user', 'GET', '/api/reporting/conversations.csv', {
    summary: 'Exports the conversations started between two moments as CSV, one row each.',
    needs,
    media_type: 'text/csv',
    query: z.object({ ...range, ...filters }),
    answer: z.string(),
  }),
}
