import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, IntegerBetween, maybe, Timestamp } from '../wire.ts'

const IdentitySecret = z.object({
  id: z.string(),
  object: z.literal('identity_secret'),
  hint: z.string().check(z.describe('Its last four characters.')),
  created_at: Timestamp,
  retires_at: z.nullable(Timestamp).check(z.describe('When it becomes invalid; null for the current one.')),
})
export type IdentitySecret = z.output<typeof IdentitySecret>

/** Whether an inbox accepts only signed identities, and the valid secrets. Newest first. */
export const SignedIdentity = z.object({
  inbox_id: z.string(),
  is_required: z.boolean().check(z.describe('Whether unsigned identities are ignored.')),
  secrets: z.array(IdentitySecret).check(z.describe('The current one, and older ones until they retire.')),
})
export type SignedIdentity = z.output<typeof SignedIdentity>

/** The only response that contains the secret. */
const NewIdentitySecret = z.extend(IdentitySecret, {
  secret: z.string().check(z.describe('Signs the tokens. Shown only now.')),
})
export type NewIdentitySecret = z.output<typeof NewIdentitySecret>

const Hours = IntegerBetween(0, 720)

/** The secrets with which a website signs its visitors' identities: `docs/security.md`. */
export const signedIdentity = {
  get: endpoint('admin', 'GET', '/api/inboxes/:id/signed_identity', {
    summary: 'Returns whether an inbox requires signed identity, and its secrets without their values.',
    answer: data(SignedIdentity),
  }),
  require: endpoint('admin', 'PUT', '/api/inboxes/:id/signed_identity', {
    summary: 'Sets whether an inbox requires signed identity, for which it needs a secret.',
    body: z.object({
      signed_identity: z.object({
        is_required: BooleanInput.check(z.describe('Whether unsigned identities are ignored.')),
      }),
    }),
    answer: data(SignedIdentity),
  }),
  createSecret: endpoint('admin', 'POST', '/api/inboxes/:id/identity_secrets', {
    summary: 'Creates a secret, shown only once. Earlier ones stay valid for `overlap_hours`, by default 24.',
    body: z.object({
      identity_secret: maybe(
        z.object({ overlap_hours: maybe(Hours).check(z.describe('How long the secret until now stays valid.')) }),
      ),
    }),
    answer: data(NewIdentitySecret),
    status: 201,
  }),
  removeSecret: endpoint('admin', 'DELETE', '/api/inboxes/:id/identity_secrets/:secret_id', {
    summary: 'Revokes a secret at once, except the last one of an inbox that requires signed identity.',
    answer: z.null(),
    status: 204,
  }),
}
