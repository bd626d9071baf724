import type { FastifyReply, FastifyRequest } from 'fastify'
import { oidc } from '#contract/accounts/oidc.ts'
import type { Context } from '../../../context.ts'
import { NotFound, NotSignedIn, Refusal } from '../../../errors.ts'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { getUser } from '../users/users.ts'
import { startSession } from './auth-sessions.ts'
import { deviceOf } from './device.ts'
import { signInOrJoin } from './oidc.ts'
import type { Provider, SignInRequest } from './oidc-provider.ts'
import { redeemOneTimeToken } from './one-time-tokens.ts'

const COOKIE = 'parley_sign_in'
const COOKIE_CONTEXT = { purpose: 'sign-in cookie' }
const MINUTES = 10
const TOO_LATE = 'This sign-in took too long. Try again.'

/**
 * Travels with the browser to the sign-in service and back, encrypted, so that nobody can smuggle in another sign-in.
 */
interface CarriedRequest extends SignInRequest {
  invite_token?: string | undefined
  redirect?: string | undefined
  expires_at: number
}

/**
 * Travels with the browser from the return page to the new session, so that a link with somebody else's token signs
 * nobody in.
 */
interface CallbackCookie {
  token: string
  expires_at: number
}

/** A browser on its way to or from the sign-in service. */
interface Waiting {
  request: FastifyRequest
  reply: FastifyReply
  redirect: string | undefined
}

export function registerOidcRoutes(routes: Routes, { config, change, keys, outbound, realtime }: Context) {
  const { oidcIssuer: issuer, oidcClientId: client_id, oidcClientSecret: client_secret = '', baseUrl } = config
  const redirect_uri = `${baseUrl}/api/oidc/callback`
  let provider: Promise<Provider> | undefined
  async function openProvider(): Promise<Provider> {
    if (!issuer || !client_id) throw new NotFound('No sign-in service is set up on this server.')
    const { createProvider } = await import('./oidc-provider.ts')
    return createProvider({ issuer, client_id, client_secret, redirect_uri }, outbound)
  }
  const needed = () => (provider ??= openProvider())

  const carry = (
    reply: FastifyReply,
    carried: Omit<CarriedRequest, 'expires_at'> | Omit<CallbackCookie, 'expires_at'>,
  ) => {
    const text = JSON.stringify({ ...carried, expires_at: Date.now() + MINUTES * 60_000 })
    setOidcCookie(reply, keys.encrypt(COOKIE_CONTEXT, text).toString('base64url'), baseUrl)
  }

  /** A browser is waiting, so a failure opens the sign-in page with its reason. */
  const showFailure = (error: unknown, { request, reply, redirect }: Waiting) => {
    const isExpected = error instanceof Refusal
    const { error_description: service } = request.query as { error_description?: string }
    request.log[isExpected ? 'info' : 'error']({ err: error, service }, 'Signing in with the sign-in service failed')
    const failure = (isExpected && error.reason) || 'failed'
    return redirectTo(reply, signInPage(baseUrl, { failure, redirect }))
  }

  routes.route(oidc.start, async ({ query, request, reply }) => {
    const { newRequest, addressFor } = await needed()
    const signIn = newRequest()
    try {
      const address = await addressFor(signIn)
      carry(reply, { ...signIn, ...query })
      return redirectTo(reply, address)
    } catch (error) {
      return showFailure(error, { request, reply, redirect: query.redirect })
    }
  })

  routes.route(oidc.callback, async ({ query, request, reply }) => {
    const { redeem } = await needed()
    const carried = readCarried<CarriedRequest>(request, keys)
    try {
      if (!carried?.state || carried.state !== query.state) throw new Refusal(400, TOO_LATE, 'too_late')
      if (!query.code) throw new Refusal(400, 'The sign-in service refused the sign-in.', 'refused')
      const claims = await redeem(new URL(request.url, baseUrl).search, carried)
      const { invite_token } = carried
      const newcomer = { claims, issuer: issuer!, invite_token, config, address: request.ip }
      const { token, ended } = await change((tx) => signInOrJoin(tx, newcomer))
      for (const session_id of ended) await realtime.disconnect({ session_id })
      carry(reply, { token })
      return redirectTo(reply, signInPage(baseUrl, { oidc: token, redirect: carried.redirect }))
    } catch (error) {
      return showFailure(error, { request, reply, redirect: carried?.redirect })
    }
  })

  routes.route(oidc.finish, async ({ body, request, reply }) => {
    const carried = readCarried<CallbackCookie>(request, keys)
    if (carried?.token !== body.token) throw new NotSignedIn(TOO_LATE)
    setOidcCookie(reply, '', baseUrl)
    return {
      data: await change(async (tx) => {
        const owner = await redeemOneTimeToken(tx, body.token, 'sign_in')
        if (!owner || owner.was_used) throw new NotSignedIn(TOO_LATE)
        const { account_id, user_id } = owner
        const { email } = await getUser(tx.db, account_id, user_id)
        return startSession(tx, { account_id, user_id, email }, deviceOf(request))
      }),
    }
  })
}

function redirectTo(reply: FastifyReply, address: string) {
  reply.header('cache-control', 'no-store')
  return reply.redirect(address, 303)
}

interface SignInOutcome {
  oidc?: string
  failure?: string
  redirect?: string | undefined
}

/** The fragment after `#` is never sent to a server or logged. */
function signInPage(baseUrl: string, { oidc, failure, redirect }: SignInOutcome): string {
  const page = new URL('/login', baseUrl)
  if (redirect?.startsWith('/') && !redirect.startsWith('//')) page.searchParams.set('redirect', redirect)
  page.hash = new URLSearchParams(oidc ? { oidc } : { failure: failure ?? '' }).toString()
  return page.href
}

function setOidcCookie(reply: FastifyReply, value: string, baseUrl: string) {
  const secure = baseUrl.startsWith('https:')
  const maxAge = value ? MINUTES * 60 : 0
  reply.setCookie(COOKIE, value, { path: '/api/oidc', httpOnly: true, sameSite: 'lax', maxAge, secure })
}

function readCarried<What extends CarriedRequest | CallbackCookie>(
  request: FastifyRequest,
  keys: Keyring,
): What | undefined {
  const value = request.cookies[COOKIE] ?? ''
  try {
    const carried = JSON.parse(keys.decrypt(COOKIE_CONTEXT, Buffer.from(value, 'base64url'))) as What
    return carried.expires_at > Date.now() ? carried : undefined
  } catch {
    return undefined
  }
}
