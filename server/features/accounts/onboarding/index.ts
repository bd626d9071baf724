import { onboarding } from '#contract/accounts/onboarding.ts'
import { defineFeature } from '../../../feature.ts'
import { registerOnboardingRoutes } from './routes.ts'

export const onboardingFeature = defineFeature({
  name: 'onboarding',
  calls: [onboarding],
  routes: [registerOnboardingRoutes],
})
