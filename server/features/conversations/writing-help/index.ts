import { writingHelp } from '#contract/conversations/writing-help.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { registerWritingHelpRoutes } from './routes.ts'
import { pruneWritten } from './stored.ts'

export const writingHelpFeature = defineFeature({
  name: 'writing-help',
  calls: [writingHelp],
  routes: [registerWritingHelpRoutes],
  schedules: [defineSchedule('writingHelp.prune', '49 * * * *', ({ db }) => pruneWritten(db))],
})
