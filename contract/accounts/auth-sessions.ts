import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { maybe, Name, Ok, Text, Timestamp } from '../wire.ts'
import { Role } from './users.ts'

/** Minimum length of a new password. */
export const PASSWORD_MIN_LENGTH = 8
/** Lifetime of an access token; clients renew after 20 minutes. */
export const ACCESS_TOKEN_MINUTES = 30
/** Lifetime of a session without renewal. */
export const RENEW_TOKEN_DAYS = 30
/** When a dashboard renews its access token, some time before it expires. */
export const RENEW_AFTER_MINUTES = 20

/** An e-mail address as people type it: trimmed, and no longer than addresses may be. */
export const Email = Text(254).check(
  z.trim(),
  z.toLowerCase(),
  z.minLength(1, "can't be blank"),
  z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'has invalid format'),
)
const Password = Text(4096).check(z.minLength(PASSWORD_MIN_LENGTH, 'should be at least 8 character(s)'))

/** Input of signing in. */
export const Credentials = z.object({
  user_id: z.int32(),
  email: z.string(),
  account_id: z.string(),
  token: z.string().check(z.describe('Send it as the `Authorization` header. Valid for half an hour.')),
  renew_token: z.string().check(z.describe('Gets a new pair of tokens. Valid for a month, and once.')),
})
export type Credentials = z.output<typeof Credentials>

/** Input of registering: a new company, or the token of an invitation to one. */
export const Registration = z
  .object({
    company_name: z.optional(z.nullable(Name(255))),
    full_name: maybe(Name(100)),
    // Existing clients send an empty token when there is no invitation.
    invite_token: z
      .optional(z.nullable(Text(64)))
      .check(z.describe('From an invitation: joins its account instead of founding one.')),
    email: Email,
    password: Password,
    password_confirmation: z.string().check(z.describe('The same password once more.')),
  })
  .check(
    z.refine((user) => user.password === user.password_confirmation, {
      path: ['password_confirmation'],
      message: 'does not match confirmation',
    }),
  )

/** The signed-in user, as needed by every page. */
export const Me = z.object({ id: z.int32(), email: z.string(), account_id: z.string(), role: Role })
export type Me = z.output<typeof Me>

/** A signed-in browser. */
export const AuthSession = z.object({
  id: z.string(),
  object: z.literal('auth_session'),
  user_agent: z.nullable(z.string()),
  address: z.nullable(z.string()).check(z.describe('IP address of the last use.')),
  created_at: Timestamp,
  renewed_at: Timestamp.check(
    z.describe('When it was last used, accurate to the twenty minutes between two renewals.'),
  ),
  is_current: z.boolean().check(z.describe('Whether this request belongs to it.')),
})
export type AuthSession = z.output<typeof AuthSession>

const NewPassword = z
  .object({ password: Password, password_confirmation: z.string().check(z.describe('The same password once more.')) })
  .check(
    z.refine((input) => input.password === input.password_confirmation, {
      path: ['password_confirmation'],
      message: 'does not match confirmation',
    }),
  )

/** Signing up, in and out, renewing, and the list of one's own sessions. */
export const authSessions = {
  register: endpoint('anyone', 'POST', '/api/registration', {
    session_only: true,
    summary: 'Creates an account with its first admin, or joins one by invitation.',
    body: z.object({ user: Registration }),
    answer: data(Credentials),
    limit: 'sign-in',
  }),
  signIn: endpoint('anyone', 'POST', '/api/session', {
    session_only: true,
    summary: 'Signs in with e-mail and password.',
    body: z.object({
      user: z.object({
        email: Text(254),
        password: Text(4096),
        code: maybe(Text(40)).check(
          z.describe(
            'From the authenticator app, or a recovery code. Required after a refusal with the reason `two_factor_required`.',
          ),
        ),
      }),
    }),
    answer: data(Credentials),
    limit: 'sign-in',
  }),
  renew: endpoint('anyone', 'POST', '/api/session/renew', {
    session_only: true,
    summary: 'Exchanges a renew token, sent in the Authorization header, for a new pair. Each works once.',
    body: z.object({
      retry_key: maybe(Text(100)).check(
        z.describe(
          'A secret that a client creates and stores before the call. If the answer is lost, repeating the call returns the new tokens.',
        ),
      ),
    }),
    answer: data(Credentials),
    // Limited by token, and loosely by network: see its route.
    limit: 'none',
  }),
  signOut: endpoint('anyone', 'DELETE', '/api/session', {
    session_only: true,
    summary: 'Ends the session of the access token, even an expired one. Without a token, it does nothing.',
    answer: data(z.object({})),
  }),
  me: endpoint('user', 'GET', '/api/me', {
    for_functions: true,
    summary: 'Returns the signed-in user.',
    answer: data(Me),
  }),
  verifyEmail: endpoint('anyone', 'POST', '/api/verify_email', {
    session_only: true,
    summary: 'Confirms an e-mail address with the token sent to it.',
    body: z.object({ token: Text(200).check(z.describe('From the mailed link.')) }),
    answer: data(z.object({ success: z.literal(true), message: z.optional(z.string()) })),
    limit: 'sign-in',
  }),
  sendVerification: endpoint('user', 'POST', '/api/verification_emails', {
    session_only: true,
    summary: 'Sends the confirmation mail to the caller again.',
    answer: data(Ok),
    limit: 'sign-in',
  }),
  requestReset: endpoint('anyone', 'POST', '/api/reset_password', {
    session_only: true,
    summary: 'Mails a link to reset the password. The response is the same for unknown addresses.',
    body: z.object({ email: Text(254) }),
    answer: data(Ok),
    limit: 'sign-in',
  }),
  resetPassword: endpoint('anyone', 'PUT', '/api/reset_password', {
    session_only: true,
    summary: 'Sets a new password with the token from the mail, and ends all sessions.',
    body: z.extend(NewPassword, { token: Text(200).check(z.describe('From the mailed link.')) }),
    answer: data(z.object({ success: z.literal(true), email: z.string() })),
    limit: 'sign-in',
  }),
  changePassword: endpoint('user', 'PUT', '/api/password', {
    session_only: true,
    summary: 'Changes the caller’s password and ends all other sessions.',
    body: z.extend(NewPassword, { current_password: Text(4096).check(z.describe('The password until now.')) }),
    answer: data(Ok),
    limit: 'sign-in',
  }),
  list: endpoint('user', 'GET', '/api/auth_sessions', {
    session_only: true,
    summary: 'Lists the caller’s sessions, last used first.',
    answer: data(z.array(AuthSession)),
  }),
  end: endpoint('user', 'DELETE', '/api/auth_sessions/:id', {
    session_only: true,
    summary: 'Ends a session of the caller.',
    answer: z.null(),
    status: 204,
  }),
  endOthers: endpoint('user', 'DELETE', '/api/auth_sessions', {
    session_only: true,
    summary: 'Ends all other sessions of the caller.',
    answer: z.null(),
    status: 204,
  }),
}
