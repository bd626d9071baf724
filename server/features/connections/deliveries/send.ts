import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Integration, OpenDelivery, Receipt } from '../../../integration.ts'
import { ConnectionRevoked, OutcomeUnknown, PermanentFailure, RetryLater } from '../../../integration.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { withinTime } from '../../../platform/within-time.ts'
import { WorkersBusy } from '../../../platform/workers/fair-queue.ts'
import { WorkersStopped } from '../../../platform/workers/worker-errors.ts'
import { loadConnected } from '../authorizations/authorizations.ts'
import { recordBroken, recordFault, recordProblem, recordTraffic, sentenceOf } from '../authorizations/health.ts'
import { linkMessage, linkThread } from '../external-links/external-links.ts'
import type { Claimed } from './claim.ts'
import { announceDelivery, updateDelivery } from './delivery-rows.ts'
import { makeDeletionsDue } from './erased.ts'

/** Milliseconds before the second and later tries. Beyond the last entry it is tried once a day. */
const WAITS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000]
/** How long a reply is retried before a person has to decide. */
const TRIED_MS = 3 * 24 * 3_600_000
/** A try that takes longer counts as one with unknown outcome. */
export const TRY_TIMEOUT_MS = 150_000
const LATE = 'Not finished in time.'

/** Makes one try, without holding locks or transactions meanwhile, and records the outcome. */
export async function send(context: Context, claimed: Claimed): Promise<void> {
  const { account_id, authorization_id } = claimed
  const integration = context.integrations.get(claimed.integration)
  const attempt: Attempt = { mayHaveArrived: claimed.was_unsure }
  try {
    const authorization = authorization_id ? await loadConnected(context, account_id, authorization_id) : null
    if (authorization === undefined)
      throw new ConnectionRevoked('Its credentials cannot be decrypted on this server. Connect it again.')
    if (!integration?.deliver) throw new PermanentFailure('This server cannot send deliveries of this type.')
    const { was_unsure: _, request_id: __, ...rest } = claimed
    const delivery = { ...rest, authorization }
    const receipt = await withinTime(TRY_TIMEOUT_MS, submit(context, integration, delivery, attempt), LATE)
    context.log.debug({ delivery_id: claimed.id, tries: claimed.tries }, 'A delivery was sent')
    await context.change((tx) => recordSent(tx, claimed, integration.role, receipt))
  } catch (error) {
    context.log.info({ err: error, delivery_id: claimed.id, tries: claimed.tries }, 'A delivery failed')
    await context.change((tx) => recordFailure(context, tx, claimed, error, attempt))
  }
}

interface Attempt {
  /** Whether an earlier try may have arrived, and nobody has looked yet. */
  mayHaveArrived: boolean
}

/** Looks for a delivery that may have arrived before sending it again. */
async function submit(
  context: Context,
  integration: Integration,
  delivery: OpenDelivery,
  attempt: Attempt,
): Promise<Receipt> {
  const receipt = attempt.mayHaveArrived ? await integration.findSent?.(context, delivery) : undefined
  attempt.mayHaveArrived = false
  return receipt ?? integration.deliver!(context, delivery).catch(postponeUnwritten)
}

/** A message for which no worker process was free was not even written, let alone sent. */
function postponeUnwritten(error: unknown): never {
  if (error instanceof WorkersBusy || error instanceof WorkersStopped) {
    throw new RetryLater('The server was too busy to write this message. It will be tried again.')
  }
  throw error
}

async function recordSent(tx: Change, claimed: Claimed, role: Integration['role'], receipt: Receipt): Promise<void> {
  const { account_id, authorization_id, conversation_id, message_id } = claimed
  const { place = '', external_id, thread, dropped } = receipt
  const now = new Date().toISOString()
  const isOurs = await updateDelivery(tx, claimed, {
    ...(dropped ? { state: 'dropped' } : { state: 'sent', sent_at: now }),
    problem: null,
    taken_until: null,
    is_unsure: false,
  })
  if (!isOurs) return makeDeletionsDue(tx, claimed)
  if (authorization_id && external_id && claimed.kind === 'post') {
    await linkMessage(tx, { account_id, authorization_id, place, external_id, message_id, direction: 'out' })
  }
  if (authorization_id && thread && conversation_id && role !== 'none') {
    await linkThread(tx, { account_id, authorization_id, conversation_id, role, ...thread })
  }
  if (authorization_id && !dropped) {
    const worksAgain = await recordTraffic(tx, { account_id, id: authorization_id }, 'out')
    if (worksAgain) await makeWaitingDueSoon(tx, account_id, authorization_id)
  }
  await announceDelivery(tx, claimed)
}

/** Makes deliveries waiting for a retry due now, because the connection works again. */
async function makeWaitingDueSoon({ db }: Change, account_id: string, authorization_id: string): Promise<void> {
  const soon = sql<string>`clock_timestamp() + interval '10 minutes'`
  await ofAccount(db, account_id)
    .updateTable('deliveries')
    .set({ not_before: soon })
    .where('authorization_id', '=', authorization_id)
    .where('state', '=', 'waiting')
    .where('not_before', '>', soon)
    .execute()
}

async function recordFailure(
  context: Context,
  tx: Change,
  claimed: Claimed,
  error: unknown,
  { mayHaveArrived }: Attempt,
): Promise<void> {
  const isKnown = error instanceof RetryLater || error instanceof PermanentFailure || error instanceof ConnectionRevoked
  const problem = sentenceOf(error)
  const wait = WAITS[Math.min(claimed.tries, WAITS.length) - 1]!
  const isTooOld = Date.now() - Date.parse(claimed.begun_at) > TRIED_MS
  const isFinal = error instanceof PermanentFailure || isTooOld
  const reported = isKnown ? 0 : (context.integrations.get(claimed.integration)?.reportsWithinMs ?? 0)
  const at = (error instanceof RetryLater && error.at) || new Date(Date.now() + Math.max(wait, reported))
  const isOurs = await updateDelivery(tx, claimed, {
    problem,
    taken_until: null,
    // An unknown outcome stays unknown until somebody has looked, even if looking failed with a known error. Where only
    // people can look, trying again is their decision.
    is_unsure: !(error instanceof OutcomeUnknown) && (mayHaveArrived || !isKnown),
    ...(isFinal ? { state: 'failed' } : { not_before: at.toISOString() }),
  })
  if (!isOurs) return makeDeletionsDue(tx, claimed)
  await recordHealth(context, tx, claimed, { error, problem, at })
  await announceDelivery(tx, claimed)
}

/** A problem may concern the whole connection: then the other deliveries wait, instead of all trying it. */
async function recordHealth(
  context: Context,
  tx: Change,
  { account_id, authorization_id }: Claimed,
  { error, problem, at }: { error: unknown; problem: string; at: Date },
): Promise<void> {
  if (!authorization_id || error instanceof PermanentFailure) return
  const whose = { account_id, id: authorization_id }
  if (error instanceof ConnectionRevoked) return recordBroken(context, tx, whose, problem)
  if (error instanceof RetryLater) return error.restsAll ? recordProblem(tx, whose, problem, at) : undefined
  return recordFault(tx, whose, problem)
}
