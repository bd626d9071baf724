import { onboarding } from '#contract/accounts/onboarding.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { readOnboarding } from './onboarding.ts'

export function registerOnboardingRoutes(routes: Routes, context: Context) {
  routes.route(onboarding.status, ({ caller }) => readOnboarding(context, caller.account_id, caller.user_id))
}
