import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** Which onboarding steps are done. */
export const OnboardingStatus = z.object({
  has_configured_inbox: z.boolean().check(z.describe('A widget was changed, or opened on a website.')),
  has_configured_profile: z.boolean().check(z.describe('The user has a name.')),
  has_invited_teammates: z.boolean().check(z.describe('Somebody was invited, or has joined.')),
  has_integrations: z.boolean().check(z.describe('At least one integration is connected.')),
  has_answered: z.boolean().check(z.describe('Somebody of the team has answered a customer.')),
  has_upgraded_subscription: z.boolean().check(z.describe('A paid plan is in force, or billing is off.')),
})
export type OnboardingStatus = z.output<typeof OnboardingStatus>

/** The steps shown on Getting started. */
export const onboarding = {
  status: endpoint('user', 'GET', '/api/onboarding_status', {
    summary: 'Returns the completed setup steps of the account, as flags at the top level.',
    answer: OnboardingStatus,
  }),
}
