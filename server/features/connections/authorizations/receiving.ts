import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { type ConnectedAuthorization, ConnectionRevoked, RetryLater } from '../../../integration.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { announceState, recordBroken, recordWorking, sentenceOf } from './health.ts'

type ConnectionKey = Pick<ConnectedAuthorization, 'account_id' | 'id'>

/** With this many failures within a time a connection is unreliable, even if it works in between. */
const UNRELIABLE_FAILURES = 3

/**
 * Records that a live connection ended, or that it or a poll failed. While nothing can be received (`isDown`) the problem
 * is shown at once; otherwise once it has happened several times. `recordReceiving` ends it.
 */
export async function recordReceivingFailure(
  context: Context,
  { account_id, id }: ConnectionKey,
  error: unknown,
  isDown: boolean,
): Promise<void> {
  await context.change(async (tx) => {
    if (error instanceof ConnectionRevoked) return recordBroken(context, tx, { account_id, id }, error.message)
    const failures = [...(await readRecentFailures(context, tx, { account_id, id })), new Date().toISOString()]
    const isUnreliable = failures.length >= UNRELIABLE_FAILURES
    const rests = error instanceof RetryLater && error.restsAll && error.at
    await ofAccount(tx.db, account_id)
      .updateTable('authorizations')
      .set({
        receiving_failures: failures,
        ...(rests && { paused_until: rests.toISOString() }),
        ...((isDown || isUnreliable) && {
          receiving_problem: describe(failures.length, sentenceOf(error)),
          receiving_problem_at: sql<string>`clock_timestamp()`,
        }),
      })
      .where('id', '=', id)
      .execute()
    if (isDown || isUnreliable) await announceState(tx, { account_id, id })
  })
}

function describe(failures: number, sentence: string): string {
  if (failures < UNRELIABLE_FAILURES) return sentence
  return `It was interrupted ${failures} times within ten minutes. The last reason: ${sentence}`.slice(0, 500)
}

/**
 * Records that a live connection is open, or that a poll succeeded. A problem ends with it; that of an unreliable
 * connection only after it has worked for some time.
 */
export async function recordReceiving(
  context: Context,
  tx: Change,
  { account_id, id }: ConnectionKey,
  asked_at?: Date,
): Promise<void> {
  const failures = await readRecentFailures(context, tx, { account_id, id })
  const last = failures.at(-1)
  const holds = !last || Date.parse(last) < Date.now() - context.timing.holds
  if (failures.length < UNRELIABLE_FAILURES || holds) {
    const { numUpdatedRows } = await ofAccount(tx.db, account_id)
      .updateTable('authorizations')
      .set({ receiving_problem: null, receiving_problem_at: null, ...(holds && { receiving_failures: [] }) })
      .where('id', '=', id)
      .where('receiving_problem', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows) await announceState(tx, { account_id, id })
  }
  await recordWorking(tx, { account_id, id }, asked_at)
}

async function readRecentFailures(
  { timing }: Context,
  { db }: Change,
  { account_id, id }: ConnectionKey,
): Promise<string[]> {
  const row = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select('receiving_failures')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  const since = Date.now() - timing.unreliable
  return (row?.receiving_failures ?? []).filter((at) => Date.parse(at) > since)
}
