import { createContext, useContext } from 'react'
import type { Answer, Endpoint } from '#contract/endpoint.ts'
import { call } from '../http/api.ts'
import { ApiError, type Input, send } from '../http/request.ts'
import { readCookie } from './cookies.ts'

/** Makes a call for the widget settings. */
type Call = <E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Answer<E>>

/** Inside the signed-in frame calls use the stored session; the separate settings page uses the cookie's token. */
export const CallContext = createContext<Call>(call)

export function useCall(): Call {
  return useContext(CallContext)
}

/** Cookies with the token of the separate settings page; the second is of older pages. */
const TOKEN_COOKIES = ['token', 'access_token']

export function readCookieToken(): string | undefined {
  return TOKEN_COOKIES.map((name) => readCookie(document.cookie, name)).find(Boolean)
}

/** Makes a call with the cookie's token, read each time because another tab may have renewed it. */
export const callWithCookie: Call = (endpoint, input) => {
  const domain = readCookie(document.cookie, 'domain')
  return send(endpoint, { ...input, ...(domain && { headers: { domain } }) }, readCookieToken())
}

/**
 * How the separate settings page handles a failed call: `leave` if the session is over, `tell` for an error message,
 * also without a connection.
 */
export function reactionTo(error: unknown): 'leave' | 'tell' {
  // This message is about the user's role; the session is still valid.
  const hasEnded = error instanceof ApiError && error.status === 401 && error.message !== 'Unauthorized access'
  return hasEnded ? 'leave' : 'tell'
}
