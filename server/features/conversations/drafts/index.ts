import { drafts } from '#contract/conversations/drafts.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { forgetEmptiedDrafts } from './drafts.ts'
import { openDrafts } from './routes.ts'

export const draftsFeature = defineFeature({
  name: 'drafts',
  calls: [drafts],
  routes: [openDrafts],
  schedules: [defineSchedule('drafts.forgetEmptied', '27 * * * *', ({ db }) => forgetEmptiedDrafts(db))],
})
