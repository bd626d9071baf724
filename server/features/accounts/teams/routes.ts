import { teams } from '#contract/accounts/teams.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { createTeam, updateTeam } from './saving.ts'
import { getTeam, listTeams } from './teams.ts'

export function registerTeamsRoutes(routes: Routes, { db, change }: Context) {
  routes.route(teams.list, async ({ caller }) => ({ data: await listTeams(db, caller.account_id) }))
  routes.route(teams.get, async ({ caller, params }) => ({ data: await getTeam(db, caller.account_id, params.id) }))
  routes.route(teams.create, async ({ caller, body }) => ({
    data: await change((tx) => createTeam(tx, caller, body.team)),
  }))
  routes.route(teams.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateTeam(tx, caller, params.id, body.team)),
  }))
}
