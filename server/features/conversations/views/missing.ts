import { sql } from 'kysely'
import { type ViewConditions, viewField } from '#contract/conversations/view-conditions.ts'
import type { Db } from '../../../platform/db/change.ts'
import { listUsers } from '../../accounts/users/users.ts'
import { getInboxIds } from '../../widget/inboxes/inboxes.ts'

interface Naming {
  id: string
  conditions: ViewConditions
}

/** By view: the ids of people (disabled ones exist), teams, tags and inboxes in its conditions that no longer exist. */
export async function findMissing(db: Db, account_id: string, views: Naming[]): Promise<Map<string, string[]>> {
  const named = new Map(views.map(({ id, conditions }) => [id, namedIn(conditions)]))
  if (![...named.values()].some(({ length }) => length > 0)) return new Map()
  const [inboxes, users, others] = await Promise.all([
    getInboxIds(db, account_id),
    listUsers(db, account_id),
    sql<{ id: string }>`
      select id from tags where account_id = ${account_id}
      union all select id from teams where account_id = ${account_id}`.execute(db),
  ])
  const existing = new Set([...inboxes, ...users.map(({ id }) => String(id)), ...others.rows.map(({ id }) => id)])
  return new Map([...named].map(([id, values]) => [id, values.filter((value) => !existing.has(value))]))
}

/** The account's own things that conditions name. */
function namedIn(conditions: ViewConditions): string[] {
  const values = conditions.flat().flatMap(({ field, values }) => {
    const { choices, also = [] } = viewField(field)
    return typeof choices === 'string' ? values.filter((value) => !also.includes(value)) : []
  })
  return [...new Set(values)]
}
