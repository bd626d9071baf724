import { customerImports } from '#contract/customers/customer-imports.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { forgetUnstartedImports, pruneImports } from './imports.ts'
import { openCustomerImports } from './routes.ts'
import { runImport } from './run-import.ts'

export const customerImportsFeature = defineFeature({
  name: 'customer-imports',
  calls: [customerImports],
  routes: [openCustomerImports],
  jobs: [runImport],
  schedules: [
    defineSchedule('customers.forgetUnstartedImports', '52 * * * *', ({ db }) => forgetUnstartedImports(db)),
    defineSchedule('customerImports.prune', '31 3 * * *', ({ db }) => pruneImports(db)),
  ],
})
