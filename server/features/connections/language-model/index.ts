import { languageModel } from '#contract/connections/language-model.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { modelKeys } from './model.ts'
import { registerLanguageModelRoutes } from './routes.ts'
import { pruneUsage } from './usage.ts'

export const languageModelFeature = defineFeature({
  name: 'language-model',
  calls: [languageModel],
  routes: [registerLanguageModelRoutes],
  schedules: [defineSchedule('languageModel.pruneUsage', '21 3 * * *', ({ db }) => pruneUsage(db))],
  encryptedColumns: [modelKeys],
})
