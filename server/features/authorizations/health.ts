import { type SqlBool, sql } from 'kysely'
import { authorizationUpdated } from '#contract/integrations.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import type { ConnectedAuthorization } from '../../integration.ts'
import { Later, Never, Reconnect } from '../../integration.ts'
import type { Change } from '../../platform/db/change.ts'
import { AddressRefused } from '../../platform/outbound/guard.ts'
import { OutboundFailed } from '../../platform/outbound/outbound.ts'
import { mailAdmins } from '../mails/mail-admins.ts'
import { getAuthorization } from './authorizations.ts'
import { brokenMail } from './broken-mail.ts'

type Whose = Pick<ConnectedAuthorization, 'account_id' | 'id'>

/** Times are noted again after so long: events of one connection would wait for each other otherwise. */
const NOTED_SECONDS = 5

const isBroken = sql`authorizations.state = 'broken'`
const holdsUpDeliveries = sql`exists (
  select from deliveries d where d.account_id = authorizations.account_id and d.authorization_id = authorizations.id
    and d.state = 'waiting' and d.problem = authorizations.problem)`

/**
 * Notes that something came in or went out. Whatever was wrong is over, unless somebody has to connect it again; what comes in
 * does not end what still keeps something from going out. True when something was wrong until now.
 */
export async function noteTraffic(open: Change, { account_id, id }: Whose, direction: 'in' | 'out'): Promise<boolean> {
  const column = direction === 'in' ? 'last_in_at' : 'last_out_at'
  const isFirst = sql<boolean>`not exists (
    select from authorizations b where b.account_id = ${account_id} and b.id = ${id} and b.${sql.ref(column)} is not null)`
  const before = await open.db
    .selectFrom('authorizations')
    .select(['problem', isFirst.as('is_first')])
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
  const stays = direction === 'in' ? sql`(${isBroken} or ${holdsUpDeliveries})` : isBroken
  await open.db
    .updateTable('authorizations')
    .set({
      [column]: sql`clock_timestamp()`,
      last_ok_at: sql`clock_timestamp()`,
      problem: sql`case when ${stays} then problem end`,
      problem_at: sql`case when ${stays} then problem_at end`,
      failures: 0,
    })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where((one) =>
      one.or([
        one(column, 'is', null),
        one('problem', 'is not', null),
        sql<SqlBool>`${sql.ref(column)} < clock_timestamp() - make_interval(secs => ${NOTED_SECONDS})`,
      ]),
    )
    .execute()
  if (before?.is_first || before?.problem) await announceState(open, { account_id, id })
  return !!before?.problem
}

/**
 * Notes that the other side answers. What went wrong since it was asked, such as a delivery that it refused, stays, and so does
 * why somebody has to connect it again.
 */
export async function noteWorking(open: Change, { account_id, id }: Whose, asked_at = new Date()): Promise<void> {
  const { numUpdatedRows } = await open.db
    .updateTable('authorizations')
    .set({ last_ok_at: sql`clock_timestamp()`, problem: null, problem_at: null, failures: 0, paused_until: null })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('state', '=', 'connected')
    .where((one) => one.or([one('problem', 'is not', null), one('failures', '>', 0), one('last_ok_at', 'is', null)]))
    .where((one) => one.or([one('problem_at', 'is', null), one('problem_at', '<', asked_at.toISOString())]))
    .executeTakeFirst()
  if (numUpdatedRows) await announceState(open, { account_id, id })
}

/** Notes what went wrong, as a sentence for people. Until `paused_until` nothing is asked of the other side. */
export async function noteProblem(
  open: Change,
  { account_id, id }: Whose,
  problem: string,
  paused_until?: Date,
): Promise<void> {
  await open.db
    .updateTable('authorizations')
    .set({
      problem: problem.slice(0, 500),
      problem_at: sql`clock_timestamp()`,
      failures: sql`failures + 1`,
      ...(paused_until && { paused_until: paused_until.toISOString() }),
    })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
  await announceState(open, { account_id, id })
}

/** Seconds of rest after one failure, two, three … in a row. From the last on it stays. */
const RESTS = [5, 5, 5, 30, 120, 600]

/**
 * Notes that the other side did not do as it should, and lets it rest: the longer, the more often it failed with nothing that
 * worked between. One that fails now and then is never left alone for long.
 */
export async function noteFault(open: Change, { account_id, id }: Whose, problem: string): Promise<void> {
  // Several are under way at once: those that end after the first has failed tell nothing new.
  const isResting = sql`coalesce(paused_until > clock_timestamp(), false)`
  const rest = sql`(${sql.val(RESTS)}::int[])[least(failures + 1, ${RESTS.length})]`
  await open.db
    .updateTable('authorizations')
    .set({
      problem: problem.slice(0, 500),
      problem_at: sql`clock_timestamp()`,
      failures: sql`case when ${isResting} then failures else failures + 1 end`,
      paused_until: sql`case when ${isResting} then paused_until else clock_timestamp() + make_interval(secs => ${rest}) end`,
    })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
  await announceState(open, { account_id, id })
}

/** Notes that nothing goes on before somebody connects it again, and writes to the admins, once. */
export async function noteBroken(
  context: Context,
  open: Change,
  { account_id, id }: Whose,
  problem: string,
): Promise<void> {
  const { numUpdatedRows } = await open.db
    .updateTable('authorizations')
    .set({ state: 'broken', problem: problem.slice(0, 500), problem_at: sql`clock_timestamp()` })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('state', '=', 'connected')
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!numUpdatedRows) return
  const { label, integration, inbox_id, problem_at } = await announceState(open, { account_id, id })
  const href = `${context.config.baseUrl}${inbox_id ? `/inboxes/${inbox_id}` : '/integrations'}`
  await mailAdmins(
    context,
    open,
    account_id,
    { kind: 'integration_broken', about: `${id} ${problem_at}` },
    (language) => brokenMail(language, { integration, label, problem, href }),
  )
}

/**
 * Notes that what a person had to mend at the other side is mended there: it goes on without being connected again. True when it
 * was broken until now.
 */
export async function noteMended(open: Change, { account_id, id }: Whose): Promise<boolean> {
  const { numUpdatedRows } = await open.db
    .updateTable('authorizations')
    .set({
      state: 'connected',
      problem: null,
      problem_at: null,
      failures: 0,
      paused_until: null,
      connected_at: sql`clock_timestamp()`,
      last_ok_at: sql`clock_timestamp()`,
    })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('state', '=', 'broken')
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!numUpdatedRows) return false
  await announceState(open, { account_id, id })
  return true
}

/** Notes whatever went wrong with a connection that is not about one message. */
export async function noteFailure(context: Context, whose: Whose, error: unknown): Promise<void> {
  await context.change((open) =>
    error instanceof Reconnect
      ? noteBroken(context, open, whose, error.message)
      : noteProblem(open, whose, sentenceOf(error), error instanceof Later && error.restsAll ? error.at : undefined),
  )
}

/** What people are told of an error. What nobody wrote for them is not shown to them. */
export function sentenceOf(error: unknown, otherwise = 'The connection broke. It is tried again by itself.'): string {
  const isForPeople = [Later, Never, Reconnect, Refusal, OutboundFailed, AddressRefused].some(
    (kind) => error instanceof kind,
  )
  return isForPeople ? (error as Error).message.slice(0, 500) : otherwise
}

async function announceState({ db, announce }: Change, { account_id, id }: Whose) {
  const authorization = await getAuthorization(db, account_id, id)
  announce(account_id, authorizationUpdated, { authorization })
  return authorization
}
