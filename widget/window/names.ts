import type { User } from '#contract/accounts/users.ts'

/** The contract's rule for a user's name, repeated here because its module would import the schema library. */
export function userName(user: Pick<User, 'display_name' | 'full_name' | 'email'>): string {
  return user.display_name || user.full_name || user.email || 'Agent'
}
