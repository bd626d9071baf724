import { type SqlBool, sql } from 'kysely'
import { authorizationUpdated } from '#contract/connections/integrations.ts'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import type { ConnectedAuthorization } from '../../../integration.ts'
import { ConnectionRevoked, PermanentFailure, RetryLater } from '../../../integration.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { AddressRefused } from '../../../platform/outbound/guard.ts'
import { OutboundFailed } from '../../../platform/outbound/outbound.ts'
import { mailAdmins } from '../../mail/mails/mail-admins.ts'
import { getAuthorization } from './authorizations.ts'
import { brokenMail } from './broken-mail.ts'

type ConnectionKey = Pick<ConnectedAuthorization, 'account_id' | 'id'>

/** Times are written at most this often: events of one connection would otherwise wait for each other. */
const RECORDED_SECONDS = 5

const isBroken = sql`authorizations.state = 'broken'`
const holdsUpDeliveries = sql`exists (
  select from deliveries d where d.account_id = authorizations.account_id and d.authorization_id = authorizations.id
    and d.state = 'waiting' and d.problem = authorizations.problem)`

/**
 * Records that something was received or sent. This ends problems, unless somebody has to reconnect; what is received
 * does not end a problem with sending. True if there was a problem until now.
 */
export async function recordTraffic(
  tx: Change,
  { account_id, id }: ConnectionKey,
  direction: 'in' | 'out',
): Promise<boolean> {
  const column = direction === 'in' ? 'last_in_at' : 'last_out_at'
  const isFirst = sql<boolean>`not exists (
    select from authorizations b where b.account_id = ${account_id} and b.id = ${id} and b.${sql.ref(column)} is not null)`
  const before = await ofAccount(tx.db, account_id)
    .selectFrom('authorizations')
    .select(['problem', isFirst.as('is_first')])
    .where('id', '=', id)
    .executeTakeFirst()
  const stays = direction === 'in' ? sql`(${isBroken} or ${holdsUpDeliveries})` : isBroken
  await ofAccount(tx.db, account_id)
    .updateTable('authorizations')
    .set({
      [column]: sql`clock_timestamp()`,
      last_ok_at: sql`clock_timestamp()`,
      problem: sql`case when ${stays} then problem end`,
      problem_at: sql`case when ${stays} then problem_at end`,
      failures: 0,
    })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb(column, 'is', null),
        eb('problem', 'is not', null),
        sql<SqlBool>`${sql.ref(column)} < clock_timestamp() - make_interval(secs => ${RECORDED_SECONDS})`,
      ]),
    )
    .execute()
  if (before?.is_first || before?.problem) await announceState(tx, { account_id, id })
  return !!before?.problem
}

/**
 * Records that the other system answers. Problems since the call began, such as a refused delivery, stay, and so does
 * the reason for reconnecting.
 */
export async function recordWorking(
  tx: Change,
  { account_id, id }: ConnectionKey,
  asked_at = new Date(),
): Promise<void> {
  const { numUpdatedRows } = await ofAccount(tx.db, account_id)
    .updateTable('authorizations')
    .set({ last_ok_at: sql`clock_timestamp()`, problem: null, problem_at: null, failures: 0, paused_until: null })
    .where('id', '=', id)
    .where('state', '=', 'connected')
    .where((eb) =>
      eb.or([
        eb('problem', 'is not', null),
        eb('failures', '>', 0),
        eb('last_ok_at', 'is', null),
        eb('paused_until', 'is not', null),
      ]),
    )
    .where((eb) => eb.or([eb('problem_at', 'is', null), eb('problem_at', '<', asked_at.toISOString())]))
    .executeTakeFirst()
  if (numUpdatedRows) await announceState(tx, { account_id, id })
}

/** Records a problem, as a sentence for people. Until `paused_until` the other system is not called. */
export async function recordProblem(
  tx: Change,
  { account_id, id }: ConnectionKey,
  problem: string,
  paused_until?: Date,
): Promise<void> {
  await ofAccount(tx.db, account_id)
    .updateTable('authorizations')
    .set({
      problem: problem.slice(0, 500),
      problem_at: sql`clock_timestamp()`,
      failures: sql`failures + 1`,
      ...(paused_until && { paused_until: paused_until.toISOString() }),
    })
    .where('id', '=', id)
    .execute()
  await announceState(tx, { account_id, id })
}

/** Seconds of pause after one failure, two, three … in a row. The last value repeats. */
const RESTS = [5, 5, 5, 30, 120, 600]

/**
 * Records a failure of the other system and pauses the connection: longer with each consecutive failure, so an
 * occasional one never causes a long pause.
 */
export async function recordFault(tx: Change, { account_id, id }: ConnectionKey, problem: string): Promise<void> {
  // Several calls are in progress at once: failures after the first one are no further news.
  const isResting = sql`coalesce(paused_until > clock_timestamp(), false)`
  const pauseSeconds = sql`(${sql.val(RESTS)}::int[])[least(failures + 1, ${RESTS.length})]`
  await ofAccount(tx.db, account_id)
    .updateTable('authorizations')
    .set({
      problem: problem.slice(0, 500),
      problem_at: sql`clock_timestamp()`,
      failures: sql`case when ${isResting} then failures else failures + 1 end`,
      paused_until: sql`case when ${isResting} then paused_until else clock_timestamp() + make_interval(secs => ${pauseSeconds}) end`,
    })
    .where('id', '=', id)
    .execute()
  await announceState(tx, { account_id, id })
}

/** Records that the connection is unusable until somebody reconnects it, and mails the admins once. */
export async function recordBroken(
  context: Context,
  tx: Change,
  { account_id, id }: ConnectionKey,
  problem: string,
): Promise<void> {
  const { numUpdatedRows } = await ofAccount(tx.db, account_id)
    .updateTable('authorizations')
    .set({ state: 'broken', problem: problem.slice(0, 500), problem_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'connected')
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!numUpdatedRows) return
  const { label, integration, inbox_id, problem_at } = await announceState(tx, { account_id, id })
  const href = `${context.config.baseUrl}${inbox_id ? `/inboxes/${inbox_id}` : '/integrations'}`
  await mailAdmins(context, tx, account_id, { kind: 'integration_broken', about: `${id} ${problem_at}` }, (language) =>
    brokenMail(language, { integration, label, problem, href }),
  )
}

/**
 * Records that a problem at the other system was solved there: the connection works again without reconnecting. True if
 * it was broken until now.
 */
export async function recordRepaired(tx: Change, { account_id, id }: ConnectionKey): Promise<boolean> {
  const { numUpdatedRows } = await ofAccount(tx.db, account_id)
    .updateTable('authorizations')
    .set({
      state: 'connected',
      problem: null,
      problem_at: null,
      receiving_problem: null,
      receiving_problem_at: null,
      failures: 0,
      paused_until: null,
      connected_at: sql`clock_timestamp()`,
      last_ok_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('state', '=', 'broken')
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!numUpdatedRows) return false
  await announceState(tx, { account_id, id })
  return true
}

/** Records a failure of a connection that does not concern a single message. */
export async function recordFailure(context: Context, whose: ConnectionKey, error: unknown): Promise<void> {
  await context.change((tx) =>
    error instanceof ConnectionRevoked
      ? recordBroken(context, tx, whose, error.message)
      : recordProblem(
          tx,
          whose,
          sentenceOf(error),
          error instanceof RetryLater && error.restsAll ? error.at : undefined,
        ),
  )
}

/** The sentence about an error that is shown to people. Errors that were not written for people are replaced. */
export function sentenceOf(
  error: unknown,
  otherwise = 'The connection was lost. It will be retried automatically.',
): string {
  const isForPeople = [RetryLater, PermanentFailure, ConnectionRevoked, Refusal, OutboundFailed, AddressRefused].some(
    (kind) => error instanceof kind,
  )
  return isForPeople ? (error as Error).message.slice(0, 500) : otherwise
}

/** Announces a connection to the team, after its state changed. */
export async function announceState({ db, announce }: Change, { account_id, id }: ConnectionKey) {
  const authorization = await getAuthorization(db, account_id, id)
  announce(account_id, authorizationUpdated, { authorization })
  return authorization
}
