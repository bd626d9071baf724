import { sql } from 'kysely'
import type { Db } from '#server/platform/db/change.ts'

interface Company {
  id: string
  name: string
  since: string
  users: number
  conversations: number
  last_activity: string | null
}

/** Prints all companies, oldest first, with what they have stored. */
export async function listCompanies(db: Db): Promise<void> {
  const { rows } = await sql<Company>`
    select a.id, a.company_name as name, to_char(a.created_at, 'YYYY-MM-DD') as since,
      (select count(*)::integer from users u where u.account_id = a.id and u.archived_at is null) as users,
      (select count(*)::integer from conversations c where c.account_id = a.id) as conversations,
      (select to_char(max(c.last_activity_at), 'YYYY-MM-DD') from conversations c where c.account_id = a.id) as last_activity
    from accounts a order by a.created_at, a.id`.execute(db)
  if (rows.length > 0) console.table(rows)
  else console.log('No company has registered yet.')
}
