import { functions } from '#contract/developers/functions.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { functionsBacklog } from './backlog.ts'
import { functionChannels } from './channels.ts'
import { functionCustomerData } from './customer-data.ts'
import { recordFunctionRuns, runFunctions } from './record-runs.ts'
import { registerFunctionsRoutes, registerRunsRoutes, serveDependencies } from './routes.ts'
import { recoverRuns, runQueueOf } from './run-queue.ts'

export const functionsFeature = defineFeature({
  name: 'functions',
  calls: [functions],
  routes: [registerFunctionsRoutes, registerRunsRoutes],
  pages: serveDependencies,
  channels: functionChannels,
  jobs: [runFunctions],
  consumers: [recordFunctionRuns],
  schedules: [defineSchedule('functions.recover', '* * * * *', recoverRuns)],
  customerData: functionCustomerData,
  backlogs: [functionsBacklog],
  start: (context) => runQueueOf(context).wake(),
  stop: (context) => runQueueOf(context).stop(),
})
