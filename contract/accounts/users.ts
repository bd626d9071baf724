import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { maybe, Name, Text, Timestamp } from '../wire.ts'

/** Admins also manage the account, its team and its connections. */
export const Role = z.enum(['admin', 'user'])

/** A member of the team, as colleagues see them. */
export const User = z.object({
  id: z.int32(),
  object: z.literal('user'),
  account_id: z.string(),
  email: z.string(),
  role: Role.check(z.describe('`admin`, or `user`: a member of the team.')),
  full_name: z.nullable(z.string()),
  display_name: z.nullable(z.string()).check(z.describe('The name shown to visitors.')),
  profile_photo_url: z.nullable(z.string()),
  created_at: Timestamp,
  disabled_at: z.nullable(Timestamp).check(z.describe('Since when the user can no longer sign in; null if they can.')),
  archived_at: z
    .nullable(Timestamp)
    .check(z.describe('When the user was removed from the team; null if they were not.')),
})
export type User = z.output<typeof User>

/** A member of the team as visitors see them. Of the e-mail address only the part before the @, from which published clients derive a name. */
export const VisitorUser = z.pick(User, {
  id: true,
  object: true,
  account_id: true,
  email: true,
  role: true,
  full_name: true,
  display_name: true,
  profile_photo_url: true,
  created_at: true,
  disabled_at: true,
  archived_at: true,
})
export type VisitorUser = z.output<typeof VisitorUser>

/** The displayed name of a user: display name, else full name, else e-mail, else Agent. */
export function userName(user: Pick<User, 'display_name' | 'full_name' | 'email'> | null | undefined): string {
  return user?.display_name || user?.full_name || user?.email || 'Agent'
}

/** Picture addresses are shown to customers, so only web addresses are allowed. */
const PictureAddress = Text(2_000).check(z.regex(/^(https?:\/\/\S+)?$/, 'is invalid'))

/** What members say about themselves, to colleagues and customers. */
export const Profile = z.object({
  display_name: maybe(Name(100)).check(z.describe('The name shown to visitors.')),
  full_name: maybe(Name(100)),
  profile_photo_url: maybe(PictureAddress),
})
export type Profile = z.output<typeof Profile>

/** A member joined, changed, was disabled or enabled. */
export const userUpdated = defineEvent('user:updated', {
  receivers: 'team',
  payload: { user: User },
})

/** Calls about the team and a user's own profile. */
export const users = {
  profile: endpoint('user', 'GET', '/api/profile', {
    summary: 'Returns the caller with their profile.',
    answer: data(User),
  }),
  updateProfile: endpoint('user', 'PUT', '/api/profile', {
    summary: 'Updates the names and picture of the caller.',
    body: z.object({ user_profile: Profile }),
    answer: data(User),
  }),
}
