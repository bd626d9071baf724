import type { User } from '#contract/users.ts'

/** The contract's rule for a user's name, written again because its file brings the schema library along. */
export function userName(user: Pick<User, 'display_name' | 'full_name' | 'email'>): string {
  return user.display_name || user.full_name || user.email || 'Agent'
}
