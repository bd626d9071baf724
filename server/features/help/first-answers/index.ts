import { firstAnswers } from '#contract/help/first-answers.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { answerMessage } from './answering.ts'
import { followMessages } from './following.ts'
import { registerFirstAnswersRoutes } from './routes.ts'
import { sweepLate } from './sweeping.ts'

export const firstAnswersFeature = defineFeature({
  name: 'first-answers',
  calls: [firstAnswers],
  routes: [registerFirstAnswersRoutes],
  jobs: [answerMessage],
  consumers: [followMessages],
  schedules: [defineSchedule('firstAnswers.sweep', '* * * * *', sweepLate)],
})
