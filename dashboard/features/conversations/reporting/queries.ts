import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type ReportFilters, reporting } from '#contract/conversations/reporting.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { call } from '../../../platform/http/api.ts'
import type { Range } from './range.ts'

/** The parameters of a report. */
export interface ReportQuestion extends Range, ReportFilters {
  working_hours: boolean
}

const REPORT_STALE_MS = 60_000
/** How often a report is loaded while its figures are being counted again. */
const RECOUNTING_MS = 3_000

export const reportKeys = {
  one: (question: ReportQuestion) => ['reporting', question] as const,
  deadlines: (question: ReportQuestion) => ['reporting', 'deadlines', question] as const,
  firstAnswers: (question: ReportQuestion) => ['reporting', 'first-answers', question] as const,
}

export function reportQuery(question: ReportQuestion) {
  return queryOptions({
    queryKey: reportKeys.one(question),
    queryFn: async ({ signal }) => (await call(reporting.get, { query: parametersOf(question), signal })).data,
    staleTime: REPORT_STALE_MS,
    refetchInterval: ({ state }) => (state.data?.is_recounting ? RECOUNTING_MS : false),
    placeholderData: keepPreviousData,
  })
}

/** Met and missed deadlines of the report's conversations. */
export function deadlinesQuery(question: ReportQuestion) {
  return queryOptions({
    queryKey: reportKeys.deadlines(question),
    queryFn: async ({ signal }) => (await call(reporting.deadlines, { query: frameOf(question), signal })).data,
    staleTime: REPORT_STALE_MS,
    placeholderData: keepPreviousData,
  })
}

/** How the conversations ended that the assistant answered first. */
export function firstAnswersQuery(question: ReportQuestion) {
  return queryOptions({
    queryKey: reportKeys.firstAnswers(question),
    queryFn: async ({ signal }) => (await call(reporting.firstAnswers, { query: frameOf(question), signal })).data,
    staleTime: REPORT_STALE_MS,
    placeholderData: keepPreviousData,
  })
}

/** The days and filters alone. */
export function frameOf(question: ReportQuestion): QueryInput<typeof reporting.deadlines> {
  const { lists: _, working_hours: __, ...frame } = parametersOf(question)
  return frame
}

/** Query parameters without empty filters. */
function parametersOf({ from, to, working_hours, ...filters }: ReportQuestion): QueryInput<typeof reporting.get> {
  return { ...filters, from_date: from, to_date: to, lists: false, ...(working_hours && { working_hours: true }) }
}
