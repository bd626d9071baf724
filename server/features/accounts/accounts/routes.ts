import { type AccountChanges, accounts } from '#contract/accounts/accounts.ts'
import type { Context } from '../../../context.ts'
import { Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordChanges } from '../audit/audit.ts'
import { getAccount, updateAccount } from './accounts.ts'

export function registerAccountsRoutes(routes: Routes, context: Context) {
  const { change } = context
  const update = async (caller: User, changes: AccountChanges) => {
    await change(async (tx) => {
      const changed = await updateAccount(context, tx, caller.account_id, changes)
      await recordChanges(tx, caller, { action: 'account.updated' }, changed)
    })
    return { data: await getAccount(context, caller.account_id, new Date()) }
  }

  // Old clients can call this without signing in. An account that nobody can sign in to would only take up space.
  routes.route(accounts.create, async () => {
    throw new Unacceptable('An account begins with its first user. Register instead.')
  })
  routes.route(accounts.mine, async ({ caller }) => ({
    data: await getAccount(context, caller.account_id, new Date()),
  }))
  routes.route(accounts.update, ({ caller, body }) => update(caller, body.account))
  routes.route(accounts.updateById, ({ caller, body }) => update(caller, body.account))
}
