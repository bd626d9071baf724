import type { RuleTriggerName } from '#contract/conversations/rule-triggers.ts'
import type { RuleEvent } from '#contract/conversations/rules.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { getConversationRow } from '../conversations/conversations.ts'
import { factsOf, type RuleState, type RuleSubject } from './facts.ts'
import { type ActiveRule, loadActiveRules } from './load-rules.ts'
import { loadSubjects } from './load-subjects.ts'

/** Events shown of a conversation. */
const SHOWN = 20

interface EventRow {
  id: string
  trigger: RuleTriggerName
  created_at: string
  caused_by_rule: string | null
  rule_id: string | null
  state: RuleState
  text: string | null
}

/**
 * What happened to a conversation, newest first: which rules ran and what they did, and of each other rule the first
 * conditions that did not hold. The latter is evaluated now, on the stored state: storing it would cost a row for each
 * rule and message.
 * @throws NotFound
 */
export async function explainConversation(db: Db, account_id: string, conversation_id: string): Promise<RuleEvent[]> {
  await getConversationRow(db, account_id, conversation_id)
  const [events, rules, subjects] = await Promise.all([
    listEvents(db, account_id, conversation_id),
    loadActiveRules(db, account_id),
    loadSubjects(db, account_id, [conversation_id], new Date()),
  ])
  const runs = await listRuns(
    db,
    account_id,
    events.map(({ id }) => id),
  )
  const subject = subjects.get(conversation_id)?.subject
  return events.map((event) => {
    const { id, trigger, created_at, caused_by_rule } = event
    const own = runs.get(id) ?? []
    const misses = subject ? findMisses(event, rules, subject, own) : []
    return { id, trigger, created_at, caused_by_rule, runs: own, misses }
  })
}

function listEvents(db: Db, account_id: string, conversation_id: string): Promise<EventRow[]> {
  return ofAccount(db, account_id)
    .selectFrom('rule_events')
    .leftJoin('messages as m', (join) =>
      join.onRef('m.account_id', '=', 'rule_events.account_id').onRef('m.id', '=', 'rule_events.message_id'),
    )
    .select([
      'rule_events.id',
      'trigger',
      'rule_events.created_at',
      'caused_by_rule',
      'rule_id',
      'state',
      'm.body as text',
    ])
    .where('rule_events.conversation_id', '=', conversation_id)
    .orderBy('seq', 'desc')
    .limit(SHOWN)
    .$castTo<EventRow>()
    .execute()
}

type Run = RuleEvent['runs'][number]

async function listRuns(db: Db, account_id: string, event_ids: string[]): Promise<Map<string, Run[]>> {
  if (event_ids.length === 0) return new Map()
  const rows = await ofAccount(db, account_id)
    .selectFrom('rule_runs')
    .select(['event_id', 'rule_id', 'rule_name', 'state', 'effects'])
    .where('event_id', 'in', event_ids)
    .orderBy('position')
    .orderBy('rule_id')
    .$castTo<Run & { event_id: string }>()
    .execute()
  const runs = new Map<string, Run[]>()
  for (const { event_id, ...run } of rows) runs.set(event_id, [...(runs.get(event_id) ?? []), run])
  return runs
}

/** The rules that looked at an event and did not run. Those that are newer than it did not look. */
function findMisses(event: EventRow, rules: ActiveRule[], subject: RuleSubject, runs: Run[]): RuleEvent['misses'] {
  const facts = factsOf(event.state, { ...subject, text: event.text })
  const ran = new Set(runs.map(({ rule_id }) => rule_id))
  const stop = rules.find(({ id, stops }) => stops && ran.has(id))
  return rules
    .filter(
      ({ id, trigger, created_at }) =>
        trigger.on === event.trigger && created_at <= event.created_at && !ran.has(id) && (event.rule_id ?? id) === id,
    )
    .flatMap(({ id: rule_id, name: rule_name, position, evaluate }) => {
      const failed = evaluate(facts)
      const isBehindStop = !!stop && position > stop.position
      return failed || isBehindStop ? [{ rule_id, rule_name, failed: isBehindStop ? null : failed }] : []
    })
}
