import { customerProfiles } from '#contract/customer-profiles.ts'
import { defineFeature } from '../../feature.ts'
import { customerMerges } from './customer-data.ts'
import { openCustomerProfiles } from './routes.ts'

export const customerProfilesFeature = defineFeature({
  name: 'customer-profiles',
  calls: [customerProfiles],
  routes: [openCustomerProfiles],
  customerData: [customerMerges],
})
