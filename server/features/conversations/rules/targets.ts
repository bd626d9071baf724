import { sql } from 'kysely'
import type { ConversationAction } from '#contract/conversations/conversation-actions.ts'
import { NOBODY, type RuleCondition, ruleField } from '#contract/conversations/rule-conditions.ts'
import type { Db } from '../../../platform/db/change.ts'
import { listTeams } from '../../accounts/teams/teams.ts'
import { listUsers } from '../../accounts/users/users.ts'
import { listAttributes } from '../../customers/attributes/definitions.ts'
import { listCallable } from '../../developers/webhooks/call-webhook.ts'
import { getInboxIds } from '../../widget/inboxes/inboxes.ts'

interface Naming {
  conditions?: RuleCondition[][]
  actions: ConversationAction[]
}

/** Attributes are named by their keys, which must not be taken for ids. */
function attributeTarget(key: string): string {
  return `attribute ${key}`
}

/** The people, teams, tags, inboxes, attributes and webhooks that a rule or macro names, as texts. */
function targetsOf({ conditions = [], actions }: Naming): Set<string> {
  const targets = new Set<string>()
  for (const { field, values } of conditions.flat()) {
    const { choices } = ruleField(field)
    if (typeof choices !== 'string') continue
    for (const value of values) if (value !== NOBODY) targets.add(value)
  }
  for (const action of actions) {
    if (action.action === 'set_team' && action.team_id !== null) targets.add(action.team_id)
    if (action.action === 'set_attribute') targets.add(attributeTarget(action.key))
    if ('tag_id' in action) targets.add(action.tag_id)
    if ('webhook_id' in action) targets.add(action.webhook_id)
    if (action.action === 'notify') for (const id of action.user_ids) targets.add(String(id))
    if (action.action === 'assign' && action.user_id !== null) targets.add(String(action.user_id))
  }
  return targets
}

/** Those of these rules or macros that name something which is not there any more. */
export async function missingTargets<Named extends Naming>(
  db: Db,
  account_id: string,
  named: Named[],
): Promise<Set<Named>> {
  const [inboxes, users, tags, teams, attributes, webhooks] = await Promise.all([
    getInboxIds(db, account_id),
    listUsers(db, account_id),
    sql<{ id: string }>`select id from tags where account_id = ${account_id}`.execute(db),
    listTeams(db, account_id),
    listAttributes(db, account_id, 'conversation'),
    listCallable(db, account_id),
  ])
  const active = users.filter((user) => !user.disabled_at && !user.archived_at)
  const existing = new Set([
    ...inboxes,
    ...webhooks,
    ...active.map(({ id }) => String(id)),
    ...[...tags.rows, ...teams].map(({ id }) => id),
    ...attributes.map(({ key }) => attributeTarget(key)),
  ])
  return new Set(named.filter((item) => [...targetsOf(item)].some((target) => !existing.has(target))))
}
