import { sql } from 'kysely'
import { helpGaps } from '#contract/help/article-feedback.ts'
import type { Context } from '../../../context.ts'
import { defineConsumer, defineFeature } from '../../../feature.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { articleReadsData, articleVotesData } from './customer-data.ts'
import { listGaps, updateGap } from './gaps.ts'
import { pruneFeedback } from './pruning.ts'
import { readerOfCustomer } from './readers.ts'
import { countReadThenWrote } from './recording.ts'

function registerGapRoutes(routes: Routes, { db, change }: Context) {
  routes.route(helpGaps.list, async ({ caller, query }) => ({ data: await listGaps(db, caller.account_id, query) }))
  routes.route(helpGaps.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateGap(tx, caller.account_id, params.id, body.gap.state)),
  }))
}

/** Somebody read articles and wrote anyway: the articles were not enough. */
const countWriters = defineConsumer('articleFeedback.countWriters', {
  of: ['message:created'],
  concerns: sql`exists (select from article_reads r where r.account_id = events.account_id)`,
  restMs: 5_000,
  jobs: [],
  async consume({ config }, tx, events) {
    for (const { account_id, event } of events) {
      const { customer_id } = event.message
      if (customer_id) await countReadThenWrote(tx, account_id, readerOfCustomer(config, account_id, customer_id))
    }
  },
})

export const articleFeedbackFeature = defineFeature({
  name: 'article-feedback',
  calls: [helpGaps],
  routes: [registerGapRoutes],
  consumers: [countWriters],
  customerData: [articleVotesData, articleReadsData],
  schedules: [defineSchedule('articleFeedback.prune', '23 * * * *', ({ db }) => pruneFeedback(db))],
})
