import { setTimeout as sleep } from 'node:timers/promises'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { consume } from '../../../platform/limits/limits.ts'
import { recordAudit } from '../audit/audit.ts'
import { getUser } from '../users/users.ts'
import {
  changePassword,
  checkCurrentPassword,
  mailReset,
  mailVerification,
  resetPassword,
  verifyEmail,
} from './credentials.ts'
import { hashPassword } from './passwords.ts'

/** Three mails, then one every ten minutes, per address, whoever asks. */
const MAILS_PER_ADDRESS = { capacity: 3, perSecond: 1 / 600 }
/** Longer than writing the mail takes. */
const RESET_MS = 300

export function registerCredentialsRoutes(routes: Routes, context: Context) {
  const { config, db, change, limits, realtime } = context
  const consumeMail = async (email: string) => {
    if (config.rateLimits) await consume(limits, `account-mail:${email.trim().toLowerCase()}`, MAILS_PER_ADDRESS)
  }

  routes.route(authSessions.verifyEmail, async ({ body }) => ({
    data: await change((tx) => verifyEmail(tx, body.token)),
  }))

  routes.route(authSessions.sendVerification, async ({ caller }) => {
    const { email } = await getUser(db, caller.account_id, caller.user_id)
    await consumeMail(email)
    await change((tx) => mailVerification(context, tx, caller, email))
    return { data: { ok: true } }
  })

  routes.route(authSessions.requestReset, async ({ body }) => {
    await consumeMail(body.email)
    // The response takes equally long for known and unknown addresses.
    await Promise.all([change((tx) => mailReset(context, tx, body.email)), sleep(RESET_MS)])
    return { data: { ok: true } }
  })

  routes.route(authSessions.resetPassword, async ({ body, caller }) => {
    const password_hash = await hashPassword(body.password)
    const { account_id, user_id, email } = await change(async (tx) => {
      const user = await resetPassword(tx, body.token, password_hash)
      await recordAudit(
        tx,
        { ...user, address: caller.address },
        { action: 'password.reset', subject_name: user.email },
      )
      return user
    })
    await realtime.disconnect({ account_id, user_id })
    return { data: { success: true as const, email } }
  })

  routes.route(authSessions.changePassword, async ({ caller, body }) => {
    await checkCurrentPassword(context, caller, body.current_password)
    const password_hash = await hashPassword(body.password)
    const ended = await change(async (tx) => {
      await recordAudit(tx, caller, { action: 'password.changed' })
      return changePassword(tx, caller, password_hash)
    })
    for (const session_id of ended) await realtime.disconnect({ session_id })
    return { data: { ok: true } }
  })
}
