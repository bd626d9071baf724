import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { Text } from '../wire.ts'
import { Credentials } from './auth-sessions.ts'

/** Reasons for a failed sign-in through the service. The page has a text for each, and shows nothing else. */
export const SIGN_IN_FAILURES = [
  'too_late',
  'refused',
  'unreachable',
  'misconfigured',
  'untrusted',
  'unconfirmed_email',
  'invitation_needed',
  'invalid_invitation',
  'expired_invitation',
  'no_seat',
  'disabled',
  'failed',
] as const

/** Signing in through the company's identity provider. */
export const oidc = {
  start: endpoint('anyone', 'GET', '/api/oidc/start', {
    session_only: true,
    summary:
      'Redirects to the sign-in service, optionally with an invitation; `redirect` is the page to open afterwards.',
    query: z.object({
      invite_token: z.optional(Text(64)).check(z.describe('From an invitation, which signing in accepts.')),
      redirect: z.optional(Text(2000)).check(z.describe('The page of the dashboard to show afterwards.')),
    }),
    answer: z.unknown(),
    status: 303,
    limit: 'sign-in',
  }),
  callback: endpoint('anyone', 'GET', '/api/oidc/callback', {
    session_only: true,
    summary:
      'Receives the browser from the sign-in service. Redirects to the sign-in page with a token that works once, or with an error.',
    query: z.object({
      code: z.optional(Text(4000)).check(z.describe('The provider’s code.')),
      state: z.optional(Text(400)).check(z.describe('As Parley sent it to the provider.')),
      error: z.optional(Text(400)),
      error_description: z.optional(Text(2000)).check(z.describe('The provider’s explanation of `error`.')),
    }),
    answer: z.unknown(),
    status: 303,
    limit: 'sign-in',
  }),
  finish: endpoint('anyone', 'POST', '/api/oidc/session', {
    session_only: true,
    summary: 'Exchanges the token from the callback for a session, once, within a minute.',
    body: z.object({ token: Text(200).check(z.describe('From the page that the provider returned to.')) }),
    answer: data(Credentials),
    limit: 'sign-in',
  }),
}
