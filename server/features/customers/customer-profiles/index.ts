import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { customerMerges } from './customer-data.ts'
import { pruneMerges } from './prune-merges.ts'
import { registerCustomerProfilesRoutes } from './routes.ts'

export const customerProfilesFeature = defineFeature({
  name: 'customer-profiles',
  calls: [customerProfiles],
  routes: [registerCustomerProfilesRoutes],
  customerData: [customerMerges],
  schedules: [defineSchedule('customerProfiles.pruneMerges', '49 3 * * *', ({ db }) => pruneMerges(db))],
})
