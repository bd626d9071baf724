import { PermanentFailure } from '../../../integration.ts'
import type { Db } from '../../../platform/db/change.ts'
import { filterActiveUsers, listUsers } from '../../accounts/users/users.ts'
import { findActiveUser } from '../../mail/conversation-mails/find-author.ts'

/** A person in the other system. */
interface Person {
  email: string | null
}

/** The active user of the team with the same e-mail address. */
export async function findTeamMember(db: Db, account_id: string, { email }: Person) {
  return email ? findActiveUser(db, account_id, email) : undefined
}

/**
 * The user in whose name an action in the other system is recorded: the one with the same e-mail address, else the
 * assignee, else the first user.
 */
export async function chooseUser(
  db: Db,
  account_id: string,
  person: Person,
  assignee_id: number | null,
): Promise<number> {
  const member = await findTeamMember(db, account_id, person)
  if (member) return member.id
  const [assignee] = assignee_id === null ? [] : await filterActiveUsers(db, account_id, [assignee_id])
  if (assignee !== undefined) return assignee
  const active = (await listUsers(db, account_id)).filter(({ disabled_at }) => !disabled_at)
  const first = active.find(({ role }) => role === 'admin') ?? active[0]
  if (!first) throw new PermanentFailure('The team has no active user.')
  return first.id
}

/**
 * The active user with this display name, or with this part of the e-mail address before the @; undefined if there are
 * several.
 */
export async function findUserByName(db: Db, account_id: string, name: string): Promise<number | undefined> {
  const lowered = name.toLowerCase()
  const active = (await listUsers(db, account_id)).filter(({ disabled_at }) => !disabled_at)
  const matches = active.filter(({ display_name, email }) =>
    [display_name?.toLowerCase(), email.split('@', 1)[0]?.toLowerCase()].includes(lowered),
  )
  return matches.length === 1 ? matches[0]!.id : undefined
}
