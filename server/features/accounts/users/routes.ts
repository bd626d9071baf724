import { userSettings } from '#contract/accounts/user-settings.ts'
import { users } from '#contract/accounts/users.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { readUserSettings, saveUserSettings } from './user-settings.ts'
import { getUser, updateProfile } from './users.ts'

export function registerUsersRoutes(routes: Routes, { db, change }: Context) {
  routes.route(users.profile, async ({ caller }) => ({ data: await getUser(db, caller.account_id, caller.user_id) }))
  routes.route(users.updateProfile, async ({ caller, body }) => ({
    data: await change((tx) => updateProfile(tx, caller.account_id, caller.user_id, body.user_profile)),
  }))
  routes.route(userSettings.get, async ({ caller }) => ({
    data: await change((tx) => readUserSettings(tx, caller.account_id, caller.user_id)),
  }))
  routes.route(userSettings.update, async ({ caller, body }) => ({
    data: await change((tx) => saveUserSettings(tx, caller.account_id, caller.user_id, body.user_settings)),
  }))
}
