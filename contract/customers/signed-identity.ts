import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { GivenBoolean, IntegerBetween, maybe, Timestamp } from '../wire.ts'

const IdentitySecret = z.object({
  id: z.string(),
  object: z.literal('identity_secret'),
  /** Its last four characters. */
  hint: z.string(),
  created_at: Timestamp,
  /** When it becomes invalid; null for the current one. */
  retires_at: z.nullable(Timestamp),
})
export type IdentitySecret = z.output<typeof IdentitySecret>

/** Whether an inbox accepts only signed identities, and the valid secrets. Newest first. */
export const SignedIdentity = z.object({
  inbox_id: z.string(),
  is_required: z.boolean(),
  secrets: z.array(IdentitySecret),
})
export type SignedIdentity = z.output<typeof SignedIdentity>

/** The only response that contains the secret. */
const NewIdentitySecret = z.extend(IdentitySecret, { secret: z.string() })
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
    body: z.object({ signed_identity: z.object({ is_required: GivenBoolean }) }),
    answer: data(SignedIdentity),
  }),
  createSecret: endpoint('admin', 'POST', '/api/inboxes/:id/identity_secrets', {
    summary: 'Creates a secret, shown only once. Earlier ones stay valid for `overlap_hours`, by default 24.',
    body: z.object({ identity_secret: maybe(z.object({ overlap_hours: maybe(Hours) })) }),
    answer: data(NewIdentitySecret),
    status: 201,
  }),
  removeSecret: endpoint('admin', 'DELETE', '/api/inboxes/:id/identity_secrets/:secret_id', {
    summary: 'Revokes a secret at once, except the last one of an inbox that requires signed identity.',
    answer: z.null(),
    status: 204,
  }),
}
