import type { Answer, Endpoint } from '#contract/endpoint.ts'
import { ApiError, type Input, send } from './request.ts'
import { readTokens, renewSession } from './session.ts'

/**
 * Makes one call as the signed-in user. A token that has run out is renewed once and the call repeated. Without a token
 * it fails here, with 'Invalid token!'. Throws ApiError.
 */
export async function call<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Answer<E>> {
  const tokens = readTokens()
  if (!tokens) throw new ApiError(401, 'Invalid token!')
  try {
    return await send(endpoint, input, tokens.token)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    if ((await renewSession(tokens.token)) !== 'renewed') throw error
    return send(endpoint, input, readTokens()?.token)
  }
}
