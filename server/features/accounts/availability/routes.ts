import { availability } from '#contract/accounts/availability.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { listAvailability, setAway } from './availability.ts'

export function registerAvailabilityRoutes(routes: Routes, { db, change }: Context) {
  routes.route(availability.list, async ({ caller }) => ({ data: await listAvailability(db, caller.account_id) }))
  routes.route(availability.update, async ({ caller, body }) => ({
    data: await change((tx) => setAway(tx, caller.account_id, caller.user_id, body.availability.away)),
  }))
}
