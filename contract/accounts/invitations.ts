import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { ifAny, maybe, Text, TimeInput, Timestamp } from '../wire.ts'
import { Email } from './auth-sessions.ts'

/** Days until an invitation expires. */
export const INVITATION_DAYS = 3

/** An unused invitation; its token is only returned to its creator, once. */
export const UserInvitation = z.object({
  id: z.string(),
  account_id: z.string(),
  email: z.nullable(z.string()).check(z.describe('The address it was mailed to, or null for a link.')),
  created_at: Timestamp,
  expires_at: Timestamp.check(z.describe('From then on it can no longer be used.')),
})
export type UserInvitation = z.output<typeof UserInvitation>

/** Only here does an invitation contain the token of its link, also as its id; all calls accept either. */
const NewInvitation = z.extend(UserInvitation, {
  token: z.string().check(z.describe('Part of the link for the invited person.')),
})

/** Inviting people into the account, and using an invitation. */
export const invitations = {
  list: endpoint('admin', 'GET', '/api/user_invitations', {
    summary: 'Lists valid invitations, newest first.',
    answer: data(z.array(UserInvitation)),
  }),
  create: endpoint('admin', 'POST', '/api/user_invitations', {
    summary:
      'Creates an invitation for one person to join the account within three days, as long as its creator is an admin.',
    answer: data(NewInvitation),
    status: 201,
    location: 'none',
  }),
  get: endpoint('admin', 'GET', '/api/user_invitations/:id', {
    summary: 'Returns an invitation.',
    answer: data(UserInvitation),
  }),
  update: endpoint('admin', 'PUT', '/api/user_invitations/:id', {
    summary: 'Updates the expiry of an invitation.',
    body: z.object({
      user_invitation: z.object({
        expires_at: maybe(TimeInput).check(z.describe('From then on it can no longer be used.')),
      }),
    }),
    answer: data(UserInvitation),
  }),
  remove: endpoint('admin', 'DELETE', '/api/user_invitations/:id', {
    summary: 'Revokes an invitation.',
    answer: z.null(),
    status: 204,
  }),
  resend: endpoint('admin', 'POST', '/api/user_invitations/:id/resend', {
    summary: 'Mails an invitation again, with a new link and a new expiry. The old link ends.',
    answer: data(UserInvitation),
    limit: 'sign-in',
  }),
  check: endpoint('anyone', 'POST', '/api/user_invitation_checks', {
    session_only: true,
    summary: 'Returns the company of an invitation, without using it.',
    body: z.object({ invite_token: Text(64).check(z.describe('From the invitation’s link.')) }),
    answer: data(z.object({ company_name: z.string() })),
    status: 200,
    limit: 'sign-in',
  }),
  email: endpoint('admin', 'POST', '/api/user_invitation_emails', {
    summary: 'Creates an invitation and mails its link. Addresses that already have an account are refused.',
    body: z.object({
      to_address: ifAny(Email).check(z.describe('The address to mail the invitation to.')),
      email: ifAny(Email).check(z.describe('Another name of `to_address`: all other calls name the field so.')),
    }),
    answer: z.object({}),
    status: 201,
    limit: 'sign-in',
  }),
}
