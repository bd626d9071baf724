import { movingIn } from '#contract/operations/moving-in.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { pruneUpload, stopImport } from './moving-in.ts'
import { registerMovingInRoutes } from './routes.ts'

export const movingInFeature = defineFeature({
  name: 'moving-in',
  calls: [movingIn],
  routes: [registerMovingInRoutes],
  schedules: [defineSchedule('movingIn.prune', '41 3 * * *', pruneUpload)],
  stop: (context) => void stopImport(context),
})
