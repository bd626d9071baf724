import { reporting } from '#contract/conversations/reporting.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { countFirstAnswers } from '../../help/first-answers/listing.ts'
import { exportDeadlines, readDeadlineFigures } from './deadline-figures.ts'
import { exportConversations, exportDays } from './exporting.ts'
import { andMatches, readFrame } from './frame.ts'
import { readReport } from './reporting.ts'

export function registerReportingRoutes(routes: Routes, { db }: Context) {
  routes.route(reporting.get, async ({ caller, query }) => ({ data: await readReport(db, caller.account_id, query) }))
  routes.route(reporting.exportDays, async ({ caller, query, reply }) => {
    const frame = await readFrame(db, caller.account_id, query)
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="days.csv"')
    return exportDays(db, frame)
  })
  routes.route(reporting.deadlines, async ({ caller, query }) => ({
    data: await readDeadlineFigures(db, await readFrame(db, caller.account_id, query)),
  }))
  routes.route(reporting.exportDeadlines, async ({ caller, query, reply }) => {
    const frame = await readFrame(db, caller.account_id, query)
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="deadlines.csv"')
    return exportDeadlines(db, frame)
  })
  routes.route(reporting.firstAnswers, async ({ caller, query }) => {
    const frame = await readFrame(db, caller.account_id, query)
    const { from, to } = frame
    return { data: await countFirstAnswers(db, caller.account_id, { from, to, matches: andMatches(frame) }) }
  })
  routes.route(reporting.exportConversations, async ({ caller, query, reply }) => {
    const frame = await readFrame(db, caller.account_id, query)
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', 'attachment; filename="conversations.csv"')
    return exportConversations(db, frame)
  })
}
