import { twoFactor } from '#contract/accounts/two-factor.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit } from '../audit/audit.ts'
import { getUser } from '../users/users.ts'
import { checkCurrentPassword } from './credentials.ts'
import { confirmTwoFactor, readTwoFactor, removeTwoFactor, startTwoFactor } from './two-factor.ts'

export function openTwoFactor(routes: Routes, context: Context) {
  const { db, change, keys } = context
  routes.route(twoFactor.get, async ({ caller }) => ({ data: await readTwoFactor(db, caller) }))

  routes.route(twoFactor.begin, async ({ caller, body }) => {
    await checkCurrentPassword(context, caller, body.password)
    const { account_id, user_id } = caller
    const { email } = await getUser(db, account_id, user_id)
    return { data: await change((open) => startTwoFactor(open, keys, { account_id, user_id, email })) }
  })

  routes.route(twoFactor.confirm, async ({ caller, body }) => ({
    data: await change(async (open) => {
      const recovery_codes = await confirmTwoFactor(open, keys, caller, body.code)
      await recordAudit(open, caller, { action: 'two_factor.turned_on' })
      return { recovery_codes }
    }),
  }))

  routes.route(twoFactor.remove, async ({ caller, body }) => {
    await checkCurrentPassword(context, caller, body.password)
    await change(async (open) => {
      await removeTwoFactor(open, caller)
      await recordAudit(open, caller, { action: 'two_factor.turned_off' })
    })
    return { data: { ok: true } }
  })
}
