import { sql } from 'kysely'
import type { RuleDraft, RuleTrial } from '#contract/conversations/rules.ts'
import { TRIED_CONVERSATIONS } from '#contract/conversations/rules.ts'
import { displayName } from '#contract/customers/customers.ts'
import { nicknameOf } from '#contract/customers/nickname.ts'
import { cutText } from '#contract/text/graphemes.ts'
import type { Db } from '../../../platform/db/change.ts'
import { prepareConditions } from './evaluate.ts'
import { factsOf } from './facts.ts'
import { loadSubjects } from './load-subjects.ts'
import { assertConditions } from './rules.ts'

/** Characters of a message in the list of tried conversations. */
const PREVIEW_LENGTH = 140
/** How many of the latest conversations are searched for such an event. */
const SEARCHED = 500
/** What a change is tried as, because former ones are not kept. */
const ANY_CHANGE = ['status', 'assignee', 'team', 'priority', 'tags', 'inbox']

/**
 * Evaluates a rule on the last conversations with such an event, as they are now, without any effect.
 * @throws Invalid if a condition does not fit the trigger
 */
export async function tryRule(
  db: Db,
  account_id: string,
  rule: Pick<RuleDraft, 'trigger' | 'conditions'>,
): Promise<RuleTrial[]> {
  assertConditions(rule)
  const evaluate = prepareConditions(rule.conditions)
  const samples = await findSamples(db, account_id, rule.trigger.on)
  const ids = samples.map(({ id }) => id)
  const subjects = await loadSubjects(db, account_id, ids, new Date())
  return samples.flatMap(({ id, body, number, happened_at }) => {
    const loaded = subjects.get(id)
    if (!loaded) return []
    const changed = rule.trigger.on === 'conversation_changed' ? ANY_CHANGE : undefined
    const state = { ...loaded.state, is_first_message: number === 1, changed }
    const failed = evaluate(factsOf(state, { ...loaded.subject, text: body }))
    const { customer_id, customer_name, customer_email, customer_phone } = loaded.subject
    const title = displayName({
      name: customer_name,
      email: customer_email,
      phone: customer_phone,
      nickname: nicknameOf(customer_id),
    })
    const preview = body && cutText(body, PREVIEW_LENGTH)
    return [{ conversation_id: id, title, preview, happened_at, matches: !failed, failed }]
  })
}

interface Sample {
  id: string
  body: string | null
  number: number | null
  happened_at: string
}

type TriggerName = RuleDraft['trigger']['on']

/** The latest conversations with the newest message that fits a trigger: read by index, however many there are. */
async function findSamples(db: Db, account_id: string, on: TriggerName): Promise<Sample[]> {
  const isByTeam = on === 'team_message' || on === 'waiting_for_customer'
  const isByCustomer = on === 'customer_message' || on === 'waiting_for_team'
  const author = isByTeam ? sql`m.customer_id is null` : isByCustomer ? sql`m.customer_id is not null` : sql`true`
  const isWaiting = on.startsWith('waiting') || on === 'open_since'
  const latest = (status: string) => sql`
    (select id, last_activity_at, created_at from conversations
     where account_id = ${account_id} and status = ${status} and archived_at is null
     order by last_activity_at desc, id desc limit ${SEARCHED})`
  const searched = isWaiting ? latest('open') : sql`${latest('open')} union all ${latest('closed')}`
  const isOptional = !isByTeam && !isByCustomer
  const { rows } = await sql<Sample>`
    select c.id, m.body, m.number, coalesce(m.created_at, c.created_at) as happened_at
    from (${searched}) c
    left join lateral (
      select m.body, m.number, m.created_at from messages m
      where m.account_id = ${account_id} and m.conversation_id = c.id and not m.private and m.type = 'reply' and ${author}
      order by m.number desc limit 1
    ) m on true
    where ${isOptional} or m.number is not null
    order by c.last_activity_at desc limit ${TRIED_CONVERSATIONS}`.execute(db)
  return rows
}
