import type { Profile, User } from '#contract/accounts/users.ts'
import { userUpdated } from '#contract/accounts/users.ts'
import { NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

export const columns = [
  'id',
  'account_id',
  'email',
  'role',
  'full_name',
  'display_name',
  'profile_photo_url',
  'created_at',
  'disabled_at',
  'archived_at',
] as const

export type UserRow = { [Column in (typeof columns)[number]]: User[Column] }

export function presentUser(row: UserRow): User {
  return { ...row, object: 'user' }
}

function select(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('users').select(columns).$castTo<UserRow>()
}

/** All users of an account, oldest first, including disabled but not archived ones. */
export async function listUsers(db: Db, account_id: string): Promise<User[]> {
  const rows = await select(db, account_id)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(presentUser)
}

/** The users with these ids, by id. Ids of other accounts are not found. */
export async function loadUsers(db: Db, account_id: string, ids: Iterable<number>): Promise<Map<number, User>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  const rows = await select(db, account_id).where('id', 'in', distinct).execute()
  return new Map(rows.map((row) => [row.id, presentUser(row)]))
}

/** Those of these ids that belong to active users of this account. */
export async function filterActiveUsers(db: Db, account_id: string, ids: number[]): Promise<number[]> {
  const users = await loadUsers(db, account_id, ids)
  return [...users.values()].filter((user) => !user.disabled_at && !user.archived_at).map((user) => user.id)
}

interface NewUser {
  email: string
  password_hash: string
  role: User['role']
  full_name?: string | null
}

/** Adds a user to an account. Throws the database's duplicate error if the e-mail is taken in any account. */
export async function createUser(change: Change, account_id: string, user: NewUser): Promise<{ id: number }> {
  const { id } = await change.db
    .insertInto('users')
    .values({ account_id, ...user })
    .returning('id')
    .executeTakeFirstOrThrow()
  change.announce(account_id, userUpdated, { user: await getUser(change.db, account_id, id) })
  return { id }
}

type Values = Partial<Pick<User, 'role' | 'disabled_at' | 'archived_at'>> & Profile

/** Writes changes to a user and announces them to the team. */
export async function saveUser(change: Change, account_id: string, id: number, values: Values): Promise<User> {
  await ofAccount(change.db, account_id)
    .updateTable('users')
    .set({ ...values, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
  const user = await getUser(change.db, account_id, id)
  change.announce(account_id, userUpdated, { user })
  return user
}

export async function getUser(db: Db, account_id: string, id: number): Promise<User> {
  const user = (await loadUsers(db, account_id, [id])).get(id)
  if (!user) throw new NotFound()
  return user
}

/** Changes a user's own names and picture. */
export function updateProfile(change: Change, account_id: string, id: number, profile: Profile): Promise<User> {
  const blank = (text: string | null | undefined) => (text === undefined ? undefined : text?.trim() || null)
  return saveUser(change, account_id, id, {
    display_name: blank(profile.display_name),
    full_name: blank(profile.full_name),
    profile_photo_url: blank(profile.profile_photo_url),
  })
}

/** Number of taken seats: users who may sign in. */
export async function countSeats(db: Db, account_id: string): Promise<number> {
  const { seats } = await ofAccount(db, account_id)
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<string>().as('seats'))
    .where('disabled_at', 'is', null)
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(seats)
}
