import { helpGaps } from '#contract/help/article-feedback.ts'
import type { Context } from '../../../context.ts'
import { defineFeature } from '../../../feature.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { listGaps, updateGap } from './gaps.ts'
import { pruneFeedback } from './pruning.ts'

function registerGapRoutes(routes: Routes, { db, change }: Context) {
  routes.route(helpGaps.list, async ({ caller, query }) => ({ data: await listGaps(db, caller.account_id, query) }))
  routes.route(helpGaps.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateGap(tx, caller.account_id, params.id, body.gap.state)),
  }))
}

export const articleFeedbackFeature = defineFeature({
  name: 'article-feedback',
  calls: [helpGaps],
  routes: [registerGapRoutes],
  schedules: [defineSchedule('articleFeedback.prune', '23 * * * *', ({ db }) => pruneFeedback(db))],
})
