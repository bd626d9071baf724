import type { Answer, Endpoint } from '#contract/endpoint.ts'
import { readTokens, renewSession, type Tokens } from '../session/session.ts'
import { ApiError, type FormInput, type Input, send, sendForm, unreachable } from './request.ts'

/** Makes a call as the signed-in user. Throws ApiError. */
export function call<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Answer<E>> {
  return withTokens(({ token }) => send(endpoint, input, token))
}

/** Makes a call with a form, such as one with a file, as the signed-in user. Throws ApiError. */
export function callWithForm<E extends Endpoint>(
  endpoint: E,
  form: FormData,
  input: FormInput = {},
): Promise<Answer<E>> {
  return withTokens(({ token }) => sendForm(endpoint, form, input, token))
}

/**
 * Makes a request as the signed-in user. If the token has expired, it is renewed once and the request repeated. Without
 * a token it fails with 'Invalid token!'. Throws ApiError.
 */
export async function withTokens<T>(request: (tokens: Tokens) => Promise<T>): Promise<T> {
  const tokens = readTokens()
  if (!tokens) throw new ApiError(401, 'Invalid token!')
  try {
    return await request(tokens)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    const renewal = await renewSession(tokens.token)
    // It is unknown whether the session is still valid, so the error is temporary.
    if (renewal === 'unreachable') throw unreachable()
    if (renewal === 'refused') throw error
    const renewed = readTokens()
    // A request of one user must not be repeated as another who has signed in meanwhile.
    if (renewed?.user_id !== tokens.user_id) throw error
    return request(renewed)
  }
}
