import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'
import { Role } from './users.ts'
import { Text, Timestamp } from './wire.ts'

export const PASSWORD_MIN_LENGTH = 8
/** How long an access token opens anything; clients renew after 20 minutes. */
export const ACCESS_TOKEN_MINUTES = 30
export const RENEW_TOKEN_DAYS = 30
export const RENEW_AFTER_MINUTES = 20

const Email = Text(254).check(
  z.trim(),
  z.toLowerCase(),
  z.minLength(1, "can't be blank"),
  z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'has invalid format'),
)
const Password = Text(4096).check(z.minLength(PASSWORD_MIN_LENGTH, 'should be at least 8 character(s)'))

export const Credentials = z.object({
  user_id: z.int(),
  email: z.string(),
  account_id: z.string(),
  token: z.string(),
  renew_token: z.string(),
})
export type Credentials = z.output<typeof Credentials>

export const Registration = z
  .object({
    company_name: z.optional(z.nullable(Text(255))),
    // Existing clients send the key empty when there is no invitation.
    invite_token: z.optional(z.nullable(Text(64))),
    email: Email,
    password: Password,
    password_confirmation: z.string(),
  })
  .check(
    z.refine((user) => user.password === user.password_confirmation, {
      path: ['password_confirmation'],
      message: 'does not match confirmation',
    }),
  )

export const Me = z.object({ id: z.int(), email: z.string(), account_id: z.string(), role: Role })
export type Me = z.output<typeof Me>

export const UserInvitation = z.object({ id: z.string(), account_id: z.string(), expires_at: Timestamp })

export const authSessions = {
  register: endpoint('anyone', 'POST', '/api/registration', {
    says: 'Opens an account with its first admin, or joins one by invitation.',
    body: z.object({ user: Registration }),
    answer: data(Credentials),
    limit: 'sign-in',
  }),
  signIn: endpoint('anyone', 'POST', '/api/session', {
    says: 'Signs in with e-mail and password.',
    body: z.object({ user: z.object({ email: Text(254), password: Text(4096) }) }),
    answer: data(Credentials),
    limit: 'sign-in',
  }),
  renew: endpoint('anyone', 'POST', '/api/session/renew', {
    says: 'Trades a renew token, sent as the Authorization header, for a new pair. Each works once.',
    answer: data(Credentials),
    limit: 'sign-in',
  }),
  signOut: endpoint('anyone', 'DELETE', '/api/session', {
    says: 'Ends the session whose access token is sent; without one it changes nothing.',
    answer: data(z.object({})),
  }),
  me: endpoint('user', 'GET', '/api/me', { says: 'Who is signed in.', answer: data(Me) }),
  invite: endpoint('admin', 'POST', '/api/user_invitations', {
    says: 'Makes an invitation that lets one person join the account within three days.',
    answer: data(UserInvitation),
    status: 201,
  }),
}
