import { authSessions } from '#contract/accounts/auth-sessions.ts'
import type { Context } from '../../../context.ts'
import { NotSignedIn } from '../../../errors.ts'
import { readToken } from '../../../platform/http/reception.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { consume } from '../../../platform/limits/limits.ts'
import { networkOf } from '../../../platform/limits/network.ts'
import { hashToken } from '../../../platform/secrets.ts'
import { getUser } from '../users/users.ts'
import {
  assertEnabled,
  endSession,
  findSessionToEnd,
  findUserByEmail,
  renewSession,
  startSession,
} from './auth-sessions.ts'
import { registerCredentialsRoutes } from './credential-routes.ts'
import { endSessions, savePassword } from './credentials.ts'
import { deviceOf } from './device.ts'
import { registerOidcRoutes } from './oidc-routes.ts'
import { endOwnSession, listOwnSessions } from './own-sessions.ts'
import { hashPassword, isForeignHash, isPassword } from './passwords.ts'
import { assertMayRegister, EmailTaken, preparePassword, register } from './registration.ts'
import { checkTwoFactor } from './two-factor.ts'
import { registerTwoFactorRoutes } from './two-factor-routes.ts'

/** Ten tries, then one every twenty seconds, per e-mail and network: tries from elsewhere lock nobody out. */
const TRIES_PER_EMAIL = { capacity: 10, perSecond: 0.05 }
/** Codes of the second factor, from any network: whoever gets this far knows the password. */
const CODES_PER_USER = { capacity: 20, perSecond: 0.05 }
/**
 * How often a network may learn that an address has an account. People need to know, but lists of addresses must not be
 * checked.
 */
const TAKEN_PER_NETWORK = { capacity: 10, perSecond: 10 / 3600 }
/**
 * Some clients retry with an invalid token again and again, which must not slow down others behind the same address.
 */
const RENEWALS_PER_TOKEN = { capacity: 10, perSecond: 0.1 }
const RENEWALS_PER_NETWORK = { capacity: 600, perSecond: 60 }

export function registerAuthSessionsRoutes(routes: Routes, context: Context) {
  const { config, db, change, keys, limits, realtime } = context
  routes.route(authSessions.register, async ({ body, request }) => {
    if (!body.user.invite_token) await assertMayRegister(db, config)
    const password_hash = await preparePassword(body.user)
    const key = `registrations:${networkOf(request.ip)}`
    if (config.rateLimits) await consume(limits, key, TAKEN_PER_NETWORK)
    try {
      const data = await change((tx) => register(context, tx, body.user, password_hash, deviceOf(request)))
      if (config.rateLimits) await limits.take(key, TAKEN_PER_NETWORK, -1)
      return { data }
    } catch (error) {
      if (config.rateLimits && !(error instanceof EmailTaken)) await limits.take(key, TAKEN_PER_NETWORK, -1)
      throw error
    }
  })

  routes.route(authSessions.signIn, async ({ body, request }) => {
    const address = `${networkOf(request.ip)} ${body.user.email.trim().toLowerCase()}`
    if (config.rateLimits) await consume(limits, `sign-in:${address}`, TRIES_PER_EMAIL)
    const user = await findUserByEmail(db, body.user.email)
    const isCorrect = await isPassword(user?.password_hash, body.user.password)
    if (!user || !isCorrect) {
      // For programs that block addresses which guess. Rate limits bound the lines; the e-mail address stays out of the log.
      request.log.warn({ address: request.ip }, 'A sign-in was refused')
      throw new NotSignedIn('Invalid email or password')
    }
    assertEnabled(user)
    const { account_id, user_id, email } = user
    const password_hash = isForeignHash(user.password_hash) ? await hashPassword(body.user.password) : undefined
    if (config.rateLimits && body.user.code) await consume(limits, `code:${user_id}`, CODES_PER_USER)
    return {
      data: await change(async (tx) => {
        await checkTwoFactor(tx, keys, user, body.user.code)
        if (password_hash) await savePassword(tx, { account_id, user_id }, password_hash)
        return startSession(tx, { account_id, user_id, email }, deviceOf(request))
      }),
    }
  })

  routes.route(authSessions.renew, async ({ request, body }) => {
    const token = readToken(request)
    if (config.rateLimits && token) {
      await consume(limits, `renewal:${hashToken(token).toString('base64url')}`, RENEWALS_PER_TOKEN)
      await consume(limits, `renewals:${networkOf(request.ip)}`, RENEWALS_PER_NETWORK)
    }
    const renewed = token ? await change((tx) => renewSession(tx, token, config.secretKey!, body.retry_key)) : {}
    if ('token' in renewed) return { data: renewed }
    if (renewed.ended_session_id) await realtime.disconnect({ session_id: renewed.ended_session_id })
    throw new NotSignedIn('Invalid token')
  })

  routes.route(authSessions.signOut, async ({ request }) => {
    const token = readToken(request)
    const session = token && (await findSessionToEnd(db, token))
    if (session) {
      await change((tx) => endSession(tx.db, session.account_id, session.session_id))
      await realtime.disconnect({ session_id: session.session_id })
    }
    return { data: {} }
  })

  routes.route(authSessions.me, async ({ caller }) => {
    const { email } = await getUser(db, caller.account_id, caller.user_id)
    return { data: { id: caller.user_id, email, account_id: caller.account_id, role: caller.role } }
  })

  registerCredentialsRoutes(routes, context)
  registerOidcRoutes(routes, context)
  registerTwoFactorRoutes(routes, context)
  routes.route(authSessions.list, async ({ caller }) => ({ data: await listOwnSessions(db, caller) }))
  routes.route(authSessions.end, async ({ caller, params }) => {
    await change((tx) => endOwnSession(tx, caller, params.id))
    await realtime.disconnect({ session_id: params.id })
    return null
  })
  routes.route(authSessions.endOthers, async ({ caller }) => {
    const ended = await change((tx) => endSessions(tx, caller, caller.session_id))
    for (const session_id of ended) await realtime.disconnect({ session_id })
    return null
  })
}
