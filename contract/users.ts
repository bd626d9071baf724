import * as z from 'zod/mini'
import { Timestamp } from './wire.ts'

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
