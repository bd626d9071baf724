import { createContext, useContext } from 'react'
import type { Answer, Endpoint } from '#contract/endpoint.ts'
import { call } from '../http/api.ts'
import { ApiError, type Input, send } from '../http/request.ts'
import { readCookie } from './cookies.ts'

/** Makes one call for the widget's settings. */
type Ask = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Answer<E>>

/** Inside the signed-in frame calls go with the stored session; the page that stands alone brings the cookie's token. */
export const CallContext = createContext<Ask>(call)

export function useCall(): Ask {
  return useContext(CallContext)
}

/** Cookies in which the token of the page that stands alone may lie. The second is that of pages from before. */
const TOKEN_COOKIES = ['token', 'access_token']

export function readCookieToken(): string | undefined {
  return TOKEN_COOKIES.map((name) => readCookie(document.cookie, name)).find(Boolean)
}

/** Asks with the token of the cookie, read anew each time: a tab beside this one may have renewed it. */
export const askByCookie: Ask = (endpoint, input) => {
  const domain = readCookie(document.cookie, 'domain')
  return send(endpoint, { ...input, ...(domain && { headers: { domain } }) }, readCookieToken())
}

/**
 * What a failed call means to the page that stands alone: the session is over (`leave`), or something to be told. A lost
 * line ends no session.
 */
export function judgeFailure(error: unknown): 'leave' | 'tell' {
  // This one is about the role: whoever is signed in stays so.
  const isOver = error instanceof ApiError && error.status === 401 && error.message !== 'Unauthorized access'
  return isOver ? 'leave' : 'tell'
}
