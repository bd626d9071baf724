import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'
import { defineEvent } from './event.ts'
import { FilledText, GivenBoolean, GivenInteger, maybe, Ok, Text, Timestamp } from './wire.ts'

export const Role = z.enum(['admin', 'user'])

export const User = z.object({
  id: z.int(),
  object: z.literal('user'),
  account_id: z.string(),
  email: z.string(),
  role: Role,
  full_name: z.nullable(z.string()),
  display_name: z.nullable(z.string()),
  profile_photo_url: z.nullable(z.string()),
  created_at: Timestamp,
  disabled_at: z.nullable(Timestamp),
  archived_at: z.nullable(Timestamp),
})
export type User = z.output<typeof User>

/** How a user is called on screen: display name, else full name, else e-mail, else Agent. */
export function userName(user: Pick<User, 'display_name' | 'full_name' | 'email'> | null | undefined): string {
  return user?.display_name || user?.full_name || user?.email || 'Agent'
}

/** Addresses of pictures are shown to customers, so nothing but the web's own kinds of address. */
const PictureAddress = Text(2_000).check(z.regex(/^(https?:\/\/\S+)?$/, 'is invalid'))

export const Profile = z.object({
  display_name: maybe(Text(100)),
  full_name: maybe(Text(100)),
  profile_photo_url: maybe(PictureAddress),
})
export type Profile = z.output<typeof Profile>

const ById = z.object({ id: GivenInteger })

export const userUpdated = defineEvent('user:updated', {
  receivers: 'team',
  payload: { user: User },
})

export const users = {
  list: endpoint('user', 'GET', '/api/users', {
    says: 'The team, oldest first, without disabled people.',
    query: z.object({
      email: z.optional(Text(254)),
      role: z.optional(Role),
      active: z.optional(GivenBoolean),
      /** Whether somebody has confirmed their address by the mailed link. */
      has_valid_email: z.optional(GivenBoolean),
    }),
    answer: data(z.array(User)),
  }),
  get: endpoint('user', 'GET', '/api/users/:id', {
    says: 'One person of the team, or null.',
    params: ById,
    answer: data(z.nullable(User)),
  }),
  remove: endpoint('user', 'DELETE', '/api/users/:id', {
    says: 'Leaves the account for good. Only for oneself; what one wrote stays.',
    params: ById,
    answer: data(Ok),
  }),
  disable: endpoint('admin', 'POST', '/api/users/:id/disable', {
    says: 'Signs somebody out everywhere and lets them in no more.',
    params: ById,
    answer: data(User),
  }),
  enable: endpoint('admin', 'POST', '/api/users/:id/enable', {
    says: 'Lets a disabled person in again.',
    params: ById,
    answer: data(User),
  }),
  archive: endpoint('admin', 'POST', '/api/users/:id/archive', {
    says: 'Takes a person off the team’s lists for good.',
    params: ById,
    answer: data(User),
  }),
  setRole: endpoint('admin', 'PUT', '/api/users/:id/role', {
    says: 'Makes somebody an admin, or no longer one.',
    params: ById,
    body: z.object({ role: FilledText(20) }),
    answer: data(User),
  }),
  profile: endpoint('user', 'GET', '/api/profile', { says: 'Who asks, with their profile.', answer: data(User) }),
  updateProfile: endpoint('user', 'PUT', '/api/profile', {
    says: 'Changes one’s own names and picture.',
    body: z.object({ user_profile: Profile }),
    answer: data(User),
  }),
}
