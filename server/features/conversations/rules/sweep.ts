import { sql } from 'kysely'
import { isWait, type WaitTrigger } from '#contract/conversations/rule-triggers.ts'
import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { applyRules } from './apply-runs.ts'
import { factsOf } from './facts.ts'
import { type ActiveRule, loadActiveRules } from './load-rules.ts'
import { loadSubjects } from './load-subjects.ts'
import { storeEvents } from './store-events.ts'
import { dueSince } from './waits.ts'

const BATCH = 200

/**
 * Each minute: runs the rules about waiting. Each rule remembers how far it has looked, so it reads only what became due
 * since, by index; after a stop it catches up. A wait is an event with an id of its own, so it counts once.
 */
export async function sweepWaits(context: Context, now: Date): Promise<void> {
  const rows = await acrossAccounts(context.db, 'looks after all accounts at once')
    .selectFrom('rules')
    .innerJoin('accounts', 'accounts.id', 'rules.account_id')
    .select(['rules.account_id', 'rules.id'])
    .where('is_on', '=', true)
    .where('swept_until', 'is not', null)
    .where('suspended_at', 'is', null)
    .execute()
  for (const { account_id, id } of rows) {
    while (await context.change((tx) => sweepRule(context, tx, account_id, id, now)));
  }
}

/** One batch of a rule. @returns whether there is more */
async function sweepRule(
  context: Context,
  tx: Change,
  account_id: string,
  rule_id: string,
  now: Date,
): Promise<boolean> {
  const locked = await ofAccount(tx.db, account_id)
    .selectFrom('rules')
    .select('swept_until')
    .where('id', '=', rule_id)
    .where('is_on', '=', true)
    .forUpdate()
    .executeTakeFirst()
  const [rule] = await loadActiveRules(tx.db, account_id, rule_id)
  if (!locked?.swept_until || !rule || !isWait(rule.trigger)) return false
  const until = (await dueSince(tx.db, account_id, rule.trigger, now)).toISOString()
  if (until <= locked.swept_until) return false
  const due = await findDue(tx, account_id, rule.trigger, locked.swept_until, until)
  await storeDue(context, tx, account_id, rule, due, now)
  const isFull = due.length >= BATCH
  const swept_until = isFull ? due.at(-1)!.since : until
  await ofAccount(tx.db, account_id).updateTable('rules').set({ swept_until }).where('id', '=', rule_id).execute()
  return isFull
}

interface Due {
  id: string
  since: string
}

/** Open conversations, not snoozed, that began to wait within a time; those of the same moment always together. */
async function findDue({ db }: Change, account_id: string, { on }: WaitTrigger, from: string, until: string) {
  const isWatched = sql`c.account_id = ${account_id} and c.status = 'open' and c.snoozed_at is null and c.archived_at is null`
  const range = sql`> ${from}::timestamptz and`
  const { rows } =
    on === 'open_since'
      ? await sql<Due>`
          select c.id, c.created_at as since from conversations c
          where ${isWatched} and c.created_at ${range} c.created_at <= ${until}
          order by c.created_at fetch first ${sql.lit(BATCH)} rows with ties`.execute(db)
      : await sql<Due>`
          select c.id, w.since from conversation_waits w
          join conversations c on c.account_id = w.account_id and c.id = w.conversation_id
          where w.account_id = ${account_id} and w.waiting_for = ${on === 'waiting_for_team' ? 'team' : 'customer'}
            and w.since ${range} w.since <= ${until} and ${isWatched}
          order by w.since fetch first ${sql.lit(BATCH)} rows with ties`.execute(db)
  return rows
}

async function storeDue(
  context: Context,
  tx: Change,
  account_id: string,
  rule: ActiveRule,
  due: Due[],
  now: Date,
): Promise<void> {
  if (due.length === 0) return
  const ids = due.map(({ id }) => id)
  const subjects = await loadSubjects(tx.db, account_id, ids, now)
  const events = due.flatMap(({ id: conversation_id, since }) => {
    const loaded = subjects.get(conversation_id)
    if (!loaded) return []
    const { state, subject } = loaded
    const matches = rule.evaluate(factsOf(state, subject)) ? [] : [rule]
    const id = deriveId(`${rule.id} ${conversation_id} ${since}`)
    const origin = { message_id: null, rule_id: rule.id, depth: 0, caused_by: null, caused_by_rule: null }
    return [{ id, conversation_id, trigger: rule.trigger.on, state, matches, ...origin }]
  })
  await context.jobs.enqueueAll(tx.db, applyRules, await storeEvents(tx, account_id, events))
}
