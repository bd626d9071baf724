import { customerImports } from '#contract/customers/customer-imports.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { pruneImports, pruneUnstartedImports } from './imports.ts'
import { registerCustomerImportsRoutes } from './routes.ts'
import { runImport } from './run-import.ts'

export const customerImportsFeature = defineFeature({
  name: 'customer-imports',
  calls: [customerImports],
  routes: [registerCustomerImportsRoutes],
  jobs: [runImport],
  schedules: [
    defineSchedule('customerImports.pruneUnstarted', '52 * * * *', ({ db }) => pruneUnstartedImports(db)),
    defineSchedule('customerImports.prune', '31 3 * * *', ({ db }) => pruneImports(db)),
  ],
})
