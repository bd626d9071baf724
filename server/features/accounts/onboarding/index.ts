import { onboarding } from '#contract/accounts/onboarding.ts'
import { defineFeature } from '../../../feature.ts'
import { openOnboarding } from './routes.ts'

export const onboardingFeature = defineFeature({
  name: 'onboarding',
  calls: [onboarding],
  routes: [openOnboarding],
})
