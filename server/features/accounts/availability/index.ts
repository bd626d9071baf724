import { availability } from '#contract/accounts/availability.ts'
import { defineFeature } from '../../../feature.ts'
import { registerAvailabilityRoutes } from './routes.ts'

export const availabilityFeature = defineFeature({
  name: 'availability',
  calls: [availability],
  routes: [registerAvailabilityRoutes],
})
