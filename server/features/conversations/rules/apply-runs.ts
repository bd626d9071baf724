import * as z from 'zod/mini'
import type { ConversationAction } from '#contract/conversations/conversation-actions.ts'
import type { RuleEffect } from '#contract/conversations/rules.ts'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import { requestIdOf } from '../../../platform/automation-chain.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { withRequestId } from '../../../platform/request-id.ts'
import { type ConversationDbRow, lockConversation } from '../conversations/conversations.ts'
import { type Acting, isActionNeeded, readActionState, reasonOf, runAction } from './actions.ts'
import { findReasonNotToAnswer } from './answers.ts'
import { switchOffBroken } from './switch-off-broken.ts'

/** Does what the rules that matched an event say, one conversation's events after the other. */
export const applyRules = defineJob('rules.apply', {
  schema: z.object({ account_id: z.string(), event_id: z.string(), conversation_id: z.string() }),
  key: ({ conversation_id }) => conversation_id,
  run: (context: Context, { account_id, event_id, conversation_id }) =>
    context.change((tx) => applyRuns(context, tx, account_id, event_id, conversation_id)),
})

interface WaitingRun {
  rule_id: string
  actions: ConversationAction[]
  created_by_id: number | null
}

/** All runs of an event, with their effects, in one transaction: a repeated job finds none waiting. */
async function applyRuns(
  context: Acting['context'],
  tx: Change,
  account_id: string,
  event_id: string,
  conversation_id: string,
): Promise<void> {
  const conversation = await lockConversation(tx.db, account_id, conversation_id)
  if (!conversation) return
  if (conversation.archived_at) return giveUp(tx, account_id, event_id)
  const { depth } = await ofAccount(tx.db, account_id)
    .selectFrom('rule_events')
    .select('depth')
    .where('id', '=', event_id)
    .executeTakeFirstOrThrow()
  let isAnswered = false
  for (const run of await listWaiting(tx, account_id, event_id)) {
    const actor = { account_id, user_id: null, address: '' }
    const author = { kind: 'bot' as const, user_id: conversation.assignee_id ?? run.created_by_id }
    const acting: Acting = { context, tx, actor, author, conversation_id }
    const cause = requestIdOf({ cause_id: event_id, run_id: run.rule_id, depth })
    const effects = await withRequestId(cause, () => doActions(acting, conversation, run.actions, isAnswered))
    const answered = effects.some(({ action, outcome }) => action.action === 'answer' && outcome === 'done')
    isAnswered ||= answered
    const isRefused = effects.some(({ outcome }) => outcome === 'refused')
    await ofAccount(tx.db, account_id)
      .updateTable('rule_runs')
      .set({
        state: isRefused ? 'failed' : 'done',
        effects: toJson(effects),
        ...(answered && { answered_at: new Date().toISOString() }),
      })
      .where('event_id', '=', event_id)
      .where('rule_id', '=', run.rule_id)
      .execute()
    if (isRefused) await switchOffBroken(tx, account_id)
  }
}

/** Nothing is done in a conversation that was deleted meanwhile. */
async function giveUp({ db }: Change, account_id: string, event_id: string): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('rule_runs')
    .set({ state: 'failed' })
    .where('event_id', '=', event_id)
    .where('state', '=', 'waiting')
    .execute()
}

function listWaiting({ db }: Change, account_id: string, event_id: string): Promise<WaitingRun[]> {
  return ofAccount(db, account_id)
    .selectFrom('rule_runs')
    .leftJoin('rules', (join) =>
      join.onRef('rules.account_id', '=', 'rule_runs.account_id').onRef('rules.id', '=', 'rule_runs.rule_id'),
    )
    .select(['rule_id', 'rule_runs.actions', 'created_by_id'])
    .where('event_id', '=', event_id)
    .where('state', '=', 'waiting')
    .orderBy('rule_runs.position')
    .orderBy('rule_id')
    .$castTo<WaitingRun>()
    .execute()
}

/** Does actions in their order, answers last. A refused one does not keep the others from being done. */
async function doActions(
  acting: Acting,
  conversation: ConversationDbRow,
  actions: ConversationAction[],
  isAnswered: boolean,
): Promise<RuleEffect[]> {
  const effects: RuleEffect[] = []
  const isAnswer = ({ action }: ConversationAction) => action === 'answer'
  for (const action of [...actions.filter((candidate) => !isAnswer(candidate)), ...actions.filter(isAnswer)]) {
    const hasAnswered = isAnswered || effects.some((effect) => isAnswer(effect.action) && effect.outcome === 'done')
    const reason = isAnswer(action) ? await findReasonNotToAnswer(acting.tx, conversation, hasAnswered) : undefined
    effects.push(reason ? { action, outcome: 'held_back', reason } : await doAction(acting, action))
  }
  return effects
}

async function doAction(acting: Acting, action: ConversationAction): Promise<RuleEffect> {
  const state = await readActionState(acting.tx, acting.actor.account_id, acting.conversation_id)
  if (!state) return { action, outcome: 'refused', reason: 'The conversation was deleted.' }
  if (!isActionNeeded(action, state)) return { action, outcome: 'unneeded', reason: null }
  try {
    await runAction(acting, action)
    return { action, outcome: 'done', reason: null }
  } catch (error) {
    // Anything else is a fault of ours, and tried again.
    if (error instanceof Refusal) return { action, outcome: 'refused', reason: reasonOf(error) }
    throw error
  }
}
