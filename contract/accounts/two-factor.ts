import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { Ok, Text } from '../wire.ts'

/** Two-factor authentication: setting it up, using it, and recovery codes for a lost phone. */
export const twoFactor = {
  get: endpoint('user', 'GET', '/api/two_factor', {
    session_only: true,
    summary: 'Returns whether the caller uses two-factor authentication, and how many recovery codes are left.',
    answer: data(
      z.object({
        is_on: z.boolean().check(z.describe('Whether signing in asks for a code.')),
        recovery_codes_left: z.int32().check(z.describe('Number of unused recovery codes.')),
      }),
    ),
  }),
  begin: endpoint('user', 'POST', '/api/two_factor', {
    session_only: true,
    summary: 'Creates a secret for an authenticator app. It is active once a code was confirmed.',
    body: z.object({ password: Text(4096) }),
    answer: data(
      z.object({
        secret: z.string().check(z.describe('For apps that cannot read the QR code.')),
        uri: z.string().check(z.describe('The content of the QR code.')),
      }),
    ),
    status: 201,
    limit: 'sign-in',
  }),
  confirm: endpoint('user', 'PUT', '/api/two_factor', {
    session_only: true,
    summary: 'Turns two-factor authentication on with the first code. The recovery codes are returned only once.',
    body: z.object({ code: Text(40) }),
    answer: data(
      z.object({
        recovery_codes: z.array(z.string()).check(z.describe('Each works once, instead of a code. Shown only now.')),
      }),
    ),
    limit: 'sign-in',
  }),
  remove: endpoint('user', 'DELETE', '/api/two_factor', {
    session_only: true,
    summary: 'Turns two-factor authentication off.',
    body: z.object({ password: Text(4096) }),
    answer: data(Ok),
    limit: 'sign-in',
  }),
}
