import { drafts } from '#contract/conversations/drafts.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { pruneEmptiedDrafts } from './drafts.ts'
import { registerDraftsRoutes } from './routes.ts'

export const draftsFeature = defineFeature({
  name: 'drafts',
  calls: [drafts],
  routes: [registerDraftsRoutes],
  schedules: [defineSchedule('drafts.pruneEmptied', '27 * * * *', ({ db }) => pruneEmptiedDrafts(db))],
})
