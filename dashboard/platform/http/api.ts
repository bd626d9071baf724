import type { Answer, Endpoint } from '#contract/endpoint.ts'
import { readTokens, renewSession, type Tokens } from '../session/session.ts'
import { ApiError, type Input, send, unreachable } from './request.ts'

/** Makes one call as the signed-in user. Throws ApiError. */
export function call<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Answer<E>> {
  return withTokens(({ token }) => send(endpoint, input, token))
}

/**
 * Asks something as the signed-in user. A token that has run out is renewed once, and then it is asked again. Without a
 * token it fails here, with 'Invalid token!'. Throws ApiError.
 */
export async function withTokens<T>(ask: (tokens: Tokens) => Promise<T>): Promise<T> {
  const tokens = readTokens()
  if (!tokens) throw new ApiError(401, 'Invalid token!')
  try {
    return await ask(tokens)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    const renewal = await renewSession(tokens.token)
    // Nobody knows yet whether the session goes on: the same call may succeed a little later.
    if (renewal === 'unreachable') throw unreachable()
    if (renewal === 'refused') throw error
    const renewed = readTokens()
    // What one person asked for is not asked in the name of whoever signed in here since.
    if (renewed?.user_id !== tokens.user_id) throw error
    return ask(renewed)
  }
}
