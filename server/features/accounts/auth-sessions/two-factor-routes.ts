import { twoFactor } from '#contract/accounts/two-factor.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit } from '../audit/audit.ts'
import { getUser } from '../users/users.ts'
import { checkCurrentPassword } from './credentials.ts'
import { confirmTwoFactor, readTwoFactor, removeTwoFactor, startTwoFactor } from './two-factor.ts'

export function registerTwoFactorRoutes(routes: Routes, context: Context) {
  const { db, change, keys } = context
  routes.route(twoFactor.get, async ({ caller }) => ({ data: await readTwoFactor(db, caller) }))

  routes.route(twoFactor.begin, async ({ caller, body }) => {
    await checkCurrentPassword(context, caller, body.password)
    const { account_id, user_id } = caller
    const { email } = await getUser(db, account_id, user_id)
    return { data: await change((tx) => startTwoFactor(tx, keys, { account_id, user_id, email })) }
  })

  routes.route(twoFactor.confirm, async ({ caller, body }) => ({
    data: await change(async (tx) => {
      const recovery_codes = await confirmTwoFactor(tx, keys, caller, body.code)
      await recordAudit(tx, caller, { action: 'two_factor.turned_on' })
      return { recovery_codes }
    }),
  }))

  routes.route(twoFactor.remove, async ({ caller, body }) => {
    await checkCurrentPassword(context, caller, body.password)
    await change(async (tx) => {
      await removeTwoFactor(tx, caller)
      await recordAudit(tx, caller, { action: 'two_factor.turned_off' })
    })
    return { data: { ok: true } }
  })
}
