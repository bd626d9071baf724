import { sql } from 'kysely'
import { type ViewConditions, viewField } from '#contract/conversations/view-conditions.ts'
import type { AttributeSubject } from '#contract/customers/attributes.ts'
import type { Db } from '../../../platform/db/change.ts'
import { listUsers } from '../../accounts/users/users.ts'
import { listAttributes } from '../../customers/attributes/definitions.ts'
import { getInboxIds } from '../../widget/inboxes/inboxes.ts'

interface Naming {
  id: string
  conditions: ViewConditions
}

/** Something of the account that a condition names: by its id, or an attribute by its key. */
interface Target {
  name: string
  subject: AttributeSubject | undefined
}

/** By view: the people (disabled ones exist), teams, tags, inboxes and attributes in its conditions that no longer exist. */
export async function findMissing(db: Db, account_id: string, views: Naming[]): Promise<Map<string, string[]>> {
  const named = new Map(views.map(({ id, conditions }) => [id, targetsOf(conditions)]))
  const all = [...named.values()].flat()
  if (all.length === 0) return new Map()
  const [inboxes, users, others, attributes] = await Promise.all([
    getInboxIds(db, account_id),
    listUsers(db, account_id),
    sql<{ id: string }>`
      select id from tags where account_id = ${account_id}
      union all select id from teams where account_id = ${account_id}`.execute(db),
    all.some(({ subject }) => subject) ? listAttributes(db, account_id) : [],
  ])
  const ids = new Set([...inboxes, ...users.map(({ id }) => String(id)), ...others.rows.map(({ id }) => id)])
  const isMissing = ({ name, subject }: Target) =>
    subject ? !attributes.some(({ subject: other, key }) => other === subject && key === name) : !ids.has(name)
  return new Map([...named].map(([id, targets]) => [id, namesOf(targets.filter(isMissing))]))
}

/** The account's own things that conditions name. */
function targetsOf(conditions: ViewConditions): Target[] {
  return conditions.flat().flatMap(({ field, values, key }): Target[] => {
    const { choices, also = [], keyOf } = viewField(field)
    if (keyOf && key) return [{ name: key, subject: keyOf }]
    if (typeof choices !== 'string') return []
    return values.filter((value) => !also.includes(value)).map((name) => ({ name, subject: undefined }))
  })
}

function namesOf(targets: Target[]): string[] {
  return [...new Set(targets.map(({ name }) => name))]
}
