import type { User } from '#contract/users.ts'
import type { Change, Db } from '../../platform/db/change.ts'

const columns = [
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

type Row = { [Column in (typeof columns)[number]]: User[Column] }

function select(db: Db, account_id: string) {
  return db.selectFrom('users').select(columns).where('account_id', '=', account_id).$castTo<Row>()
}

/** Everybody who was not archived, oldest first; disabled people are among them. */
export async function listUsers(db: Db, account_id: string): Promise<User[]> {
  const rows = await select(db, account_id)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, object: 'user' }))
}

/** The users with these ids, by id. Ids of other accounts find nothing. */
export async function loadUsers(db: Db, account_id: string, ids: Iterable<number>): Promise<Map<number, User>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await select(db, account_id).where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, { ...row, object: 'user' }]))
}

/** Which of these ids are people who can still sign in to this account. */
export async function keepActiveUsers(db: Db, account_id: string, ids: number[]): Promise<number[]> {
  const users = await loadUsers(db, account_id, ids)
  return [...users.values()].filter((user) => !user.disabled_at && !user.archived_at).map((user) => user.id)
}

interface NewUser {
  email: string
  password_hash: string
  role: User['role']
}

/** Adds a person to an account. Throws the database's duplicate error when the e-mail is taken anywhere. */
export async function createUser({ db }: Change, account_id: string, user: NewUser): Promise<{ id: number }> {
  return db
    .insertInto('users')
    .values({ account_id, ...user })
    .returning('id')
    .executeTakeFirstOrThrow()
}
