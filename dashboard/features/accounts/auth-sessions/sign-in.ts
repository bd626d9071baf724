import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { oidc } from '#contract/accounts/oidc.ts'
import { logError } from '../../../platform/http/errors.ts'
import { send } from '../../../platform/http/request.ts'
import { clearTokens, readTokens, storeTokens } from '../../../platform/session/session.ts'
import type { RegistrationFields } from './auth-checks.ts'

/** Signs in and stores the tokens. Throws ApiError. */
export async function signIn(email: string, password: string, code?: string): Promise<void> {
  const { data } = await send(authSessions.signIn, { body: { user: { email, password, code } } })
  storeTokens(data)
}

let finishing: { token: string; done: Promise<void> } | undefined

/**
 * Exchanges the identity provider's token for a session. The token works once, so concurrent callers share one request.
 */
export function finishSignIn(token: string): Promise<void> {
  if (finishing?.token !== token) {
    const trade = send(oidc.finish, { body: { token } })
    finishing = { token, done: trade.then(({ data }) => storeTokens(data)) }
  }
  return finishing.done
}

/** Creates an account, or joins one with an invite token, and signs in. Throws ApiError. */
export async function register(fields: RegistrationFields, invite_token: string | undefined): Promise<void> {
  const { company_name, full_name, ...rest } = fields
  const user = invite_token ? { ...rest, invite_token } : { ...rest, company_name, ...(full_name && { full_name }) }
  const { data } = await send(authSessions.register, { body: { user } })
  storeTokens(data)
}

/** Ends the session on the server, then here. Without a connection it only ends here. */
export async function signOut(): Promise<void> {
  const tokens = readTokens()
  if (tokens) {
    await send(authSessions.signOut, {}, tokens.token).catch((error) => logError('Session not ended', error))
  }
  clearTokens()
}
