import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { defineConsumer } from '../../../feature.ts'
import { depthAfter, MAX_CHAIN_LENGTH, readLink } from '../../../platform/automation-chain.ts'
import type { Change } from '../../../platform/db/change.ts'
import { newId } from '../../../platform/secrets.ts'
import { applyRules } from './apply-runs.ts'
import { findCauses, reportChain } from './chains.ts'
import { factsOf } from './facts.ts'
import { endsTargets, type Happening, happeningOf, RULE_EVENTS, type RuleSource, waitChangeOf } from './happenings.ts'
import { type ActiveRule, matching, readActiveRules } from './load-rules.ts'
import { loadSubjects } from './load-subjects.ts'
import { type DecidedEvent, storeEvents } from './store-events.ts'
import { switchOffBroken } from './switch-off-broken.ts'
import { areWaitsKept, keepWaits } from './waits.ts'

/** Nobody waits for a rule to the tenth of a second, and a batch reads the rules once. */
const REST_MS = 500

/**
 * Decides which rules run for what happened to conversations. All ways in write the log, so none passes by the rules. What
 * the rules do is done by a job: a failure must not hold up other companies.
 */
export const recordRuleEvents = defineConsumer('rules.recordEvents', {
  of: RULE_EVENTS,
  concerns: sql`(exists (select from rules r where r.account_id = events.account_id and r.is_on)
    or exists (select from conversation_views v where v.account_id = events.account_id and v.reads_waits))`,
  restMs: REST_MS,
  jobs: [applyRules],
  consume: recordEvents,
})

async function recordEvents(context: Context, tx: Change, events: RuleSource[]): Promise<void> {
  const accounts = [...Map.groupBy(events, ({ account_id }) => account_id)]
  const decided: [string, Decision][] = []
  for (const [account_id, batch] of accounts) decided.push([account_id, await decide(context, tx, account_id, batch)])
  // Only now: as soon as it writes, this transaction holds up other readers of the log.
  for (const [account_id, { events: decidedEvents, stopped }] of decided) {
    const batch = events.filter((event) => event.account_id === account_id)
    if (await areWaitsKept(tx.db, account_id))
      await keepWaits(
        tx,
        account_id,
        batch.flatMap((event) => waitChangeOf(event) ?? []),
      )
    await context.jobs.enqueueAll(tx.db, applyRules, await storeEvents(tx, account_id, decidedEvents))
    for (const event of stopped) await reportChain(tx, account_id, event)
    if (batch.some(endsTargets)) await switchOffBroken(tx, account_id)
  }
}

interface Decision {
  events: DecidedEvent[]
  /** At the end of a chain that is too long: nothing runs for them. */
  stopped: DecidedEvent[]
}

async function decide(context: Context, { db }: Change, account_id: string, batch: RuleSource[]): Promise<Decision> {
  const rules = await readActiveRules(context, db, account_id)
  const byTrigger = Map.groupBy(rules, ({ trigger }) => trigger.on)
  const concerned = batch.flatMap((event) => {
    const happening = happeningOf(event)
    const isOnThen = ({ switched_on_at }: ActiveRule) => switched_on_at <= event.created_at
    const candidates = happening ? (byTrigger.get(happening.trigger) ?? []).filter(isOnThen) : []
    return happening && candidates.length > 0 ? [{ happening, candidates }] : []
  })
  if (concerned.length === 0) return { events: [], stopped: [] }
  const happenings = concerned.map(({ happening }) => happening)
  const ids = [...new Set(happenings.map(({ conversation_id }) => conversation_id))]
  const subjects = await loadSubjects(db, account_id, ids, new Date())
  const causes = await findCauses(db, account_id, happenings)
  const events: DecidedEvent[] = []
  for (const { happening, candidates } of concerned) {
    const loaded = subjects.get(happening.conversation_id)
    if (!loaded) continue
    const { message, trigger, conversation_id, request_id } = happening
    const state = { ...loaded.state, ...happening.state }
    const facts = factsOf(state, { ...loaded.subject, text: message?.body })
    const matches = matching(candidates, facts)
    const caused_by = readLink(request_id)?.cause_id ?? null
    const message_id = message?.id ?? null
    events.push({
      ...{ id: newId(), conversation_id, trigger, message_id, rule_id: null, state, matches },
      ...{ depth: depthAfter(request_id), caused_by, caused_by_rule: causes.get(causeKey(happening)) ?? null },
    })
    // A thousand rules take milliseconds: between two events others have their turn.
    await setImmediate()
  }
  const isStopped = ({ depth, matches: { length } }: DecidedEvent) => depth >= MAX_CHAIN_LENGTH && length > 0
  return {
    events: events.filter((event) => !isStopped(event)),
    stopped: events.filter(isStopped),
  }
}

function causeKey({ request_id }: Happening): string {
  const link = readLink(request_id)
  return link ? `${link.cause_id} ${link.mark}` : ''
}
