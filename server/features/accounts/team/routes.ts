import { team } from '#contract/accounts/team.ts'
import { type User, userName } from '#contract/accounts/users.ts'
import type { Context } from '../../../context.ts'
import { BadRequest, Forbidden } from '../../../errors.ts'
import type { User as SignedIn } from '../../../platform/caller.ts'
import { type Change, fieldChanges, hasChanges } from '../../../platform/db/change.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit, recordChanges } from '../audit/audit.ts'
import { endSessions } from '../auth-sessions/credentials.ts'
import { removeLostTwoFactor } from '../auth-sessions/lost-two-factor.ts'
import { getUser, loadUsers } from '../users/users.ts'
import { archiveUser, disableUser, enableUser, listTeam, setRole } from './team.ts'

type UserChange = (tx: Change, account_id: string, id: number) => Promise<User>

export function registerTeamRoutes(routes: Routes, context: Context) {
  const { db, change, realtime } = context
  /** Changes a teammate and records who did it, if anything changed. */
  const changeTeammate = (caller: SignedIn, id: number, action: string, apply: UserChange) =>
    change(async (tx) => {
      const before = await getUser(tx.db, caller.account_id, id)
      const user = await apply(tx, caller.account_id, id)
      const { role, disabled_at, archived_at } = user
      const audited = { action, subject_id: id, subject_name: userName(user) }
      if (hasChanges(fieldChanges(before, { disabled_at, archived_at }))) await recordAudit(tx, caller, audited)
      await recordChanges(tx, caller, audited, fieldChanges(before, { role }))
      return user
    })
  /** The same for actions that remove access: ends the user's sessions and then closes their sockets. */
  const removeAccess = async (caller: SignedIn, id: number, action: string, apply: UserChange) => {
    const user = await changeTeammate(caller, id, action, async (tx, account_id) => {
      await endSessions(tx, { account_id, user_id: id })
      return apply(tx, account_id, id)
    })
    await realtime.disconnect({ account_id: caller.account_id, user_id: id })
    return user
  }

  routes.route(team.list, async ({ caller, query }) => ({ data: await listTeam(db, caller.account_id, query) }))
  routes.route(team.get, async ({ caller, params }) => ({
    data: (await loadUsers(db, caller.account_id, [params.id])).get(params.id) ?? null,
  }))
  routes.route(team.disable, async ({ caller, params }) => {
    if (params.id === caller.user_id) throw new BadRequest('You cannot disable yourself.')
    return { data: await removeAccess(caller, params.id, 'user.disabled', disableUser) }
  })
  routes.route(team.enable, async ({ caller, params }) => {
    if (params.id === caller.user_id) throw new BadRequest('You cannot enable yourself.')
    const enable: UserChange = (tx, account_id, id) => enableUser(context, tx, account_id, id)
    return { data: await changeTeammate(caller, params.id, 'user.enabled', enable) }
  })
  routes.route(team.removeTwoFactor, async ({ caller, params: { id } }) => {
    // Here no password is asked for.
    if (id === caller.user_id) throw new BadRequest('Turn off your own second factor in your profile.')
    await change(async (tx) => {
      const { email } = await getUser(tx.db, caller.account_id, id)
      await removeLostTwoFactor(context, tx, caller, { user_id: id, email })
    })
    return { data: { ok: true } }
  })
  routes.route(team.archive, async ({ caller, params }) => {
    if (params.id === caller.user_id) throw new Forbidden('You cannot archive yourself.')
    return { data: await removeAccess(caller, params.id, 'user.archived', archiveUser) }
  })
  routes.route(team.remove, async ({ caller, params }) => {
    if (params.id !== caller.user_id) throw new Forbidden('You cannot delete another user.')
    await removeAccess(caller, params.id, 'user.left', archiveUser)
    return { data: { ok: true } }
  })
  routes.route(team.setRole, async ({ caller, params, body: { role } }) => {
    const apply: UserChange = (tx, account_id, id) => setRole(tx, account_id, id, role)
    const user = await changeTeammate(caller, params.id, 'user.role_changed', apply)
    // The rights of an open socket come from the old role, so it has to reconnect.
    await realtime.disconnect({ account_id: caller.account_id, user_id: params.id }, 'please reconnect')
    return { data: user }
  })
}
