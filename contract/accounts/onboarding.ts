import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** Which onboarding steps are done. */
export const OnboardingStatus = z.object({
  has_configured_inbox: z.boolean(),
  has_configured_profile: z.boolean(),
  has_invited_teammates: z.boolean(),
  has_integrations: z.boolean(),
  /** Somebody of the team has answered a customer. */
  has_answered: z.boolean(),
  has_upgraded_subscription: z.boolean(),
})
export type OnboardingStatus = z.output<typeof OnboardingStatus>

/** The steps shown on Getting started. */
export const onboarding = {
  status: endpoint('user', 'GET', '/api/onboarding_status', {
    summary: 'Returns the completed setup steps of the account, as flags at the top level.',
    answer: OnboardingStatus,
  }),
}
