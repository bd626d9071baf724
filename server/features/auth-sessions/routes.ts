import { authSessions } from '#contract/auth-sessions.ts'
import { Forbidden, NotSignedIn } from '../../errors.ts'
import type { Parley } from '../../parley.ts'
import { type Routes, readToken } from '../../platform/http/routes.ts'
import { spend } from '../../platform/limits/limits.ts'
import { getUser } from '../users/users.ts'
import {
  endSession,
  findSession,
  findUserByEmail,
  refuseDisabled,
  renewSession,
  startSession,
} from './auth-sessions.ts'
import { openCredentials } from './credential-routes.ts'
import { endSessions } from './credentials.ts'
import { deviceOf } from './device.ts'
import { openOidc } from './oidc-routes.ts'
import { endOwnSession, listOwnSessions } from './own-sessions.ts'
import { isPassword } from './passwords.ts'
import { preparePassword, register } from './registration.ts'
import { passTwoFactor } from './two-factor.ts'
import { openTwoFactor } from './two-factor-routes.ts'

/** Ten tries, then one every twenty seconds, for each e-mail whoever asks. */
const TRIES_PER_EMAIL = { capacity: 10, perSecond: 0.05 }

export function openAuthSessions(routes: Routes, parley: Parley) {
  const { config, db, change, keys, limits, realtime } = parley
  routes.route(authSessions.register, async ({ body, request }) => {
    if (!body.user.invite_token && config.registration === 'invite') {
      throw new Forbidden('An invitation token is required to register')
    }
    const password_hash = await preparePassword(body.user)
    return { data: await change((open) => register(parley, open, body.user, password_hash, deviceOf(request))) }
  })

  routes.route(authSessions.signIn, async ({ body, request }) => {
    if (config.rateLimits) await spend(limits, `sign-in:${body.user.email.trim().toLowerCase()}`, TRIES_PER_EMAIL)
    const user = await findUserByEmail(db, body.user.email)
    const right = await isPassword(user?.password_hash, body.user.password)
    if (!user || !right) throw new NotSignedIn('Invalid email or password')
    refuseDisabled(user)
    const { account_id, user_id, email } = user
    return {
      data: await change(async (open) => {
        await passTwoFactor(open, keys, user, body.user.code)
        return startSession(open, { account_id, user_id, email }, deviceOf(request))
      }),
    }
  })

  routes.route(authSessions.renew, async ({ request, body }) => {
    const token = readToken(request)
    const renewed = token ? await change((open) => renewSession(open, token, config.secretKey!, body.retry_key)) : {}
    if ('token' in renewed) return { data: renewed }
    if (renewed.ended_session_id) await realtime.disconnect({ session_id: renewed.ended_session_id })
    throw new NotSignedIn('Invalid token')
  })

  routes.route(authSessions.signOut, async ({ request }) => {
    const token = readToken(request)
    const session = token && (await findSession(db, token).catch(() => undefined))
    if (session) {
      await change((open) => endSession(open.db, session.account_id, session.session_id))
      await realtime.disconnect({ session_id: session.session_id })
    }
    return { data: {} }
  })

  routes.route(authSessions.me, async ({ caller }) => {
    const { email } = await getUser(db, caller.account_id, caller.user_id)
    return { data: { id: caller.user_id, email, account_id: caller.account_id, role: caller.role } }
  })

  openCredentials(routes, parley)
  openOidc(routes, parley)
  openTwoFactor(routes, parley)
  routes.route(authSessions.list, async ({ caller }) => ({ data: await listOwnSessions(db, caller) }))
  routes.route(authSessions.end, async ({ caller, params }) => {
    await change((open) => endOwnSession(open, caller, params.id))
    await realtime.disconnect({ session_id: params.id })
    return null
  })
  routes.route(authSessions.endOthers, async ({ caller }) => {
    const ended = await change((open) => endSessions(open, caller, caller.session_id))
    for (const session_id of ended) await realtime.disconnect({ session_id })
    return null
  })
}
