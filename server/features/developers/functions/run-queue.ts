import { type Context, perServer } from '../../../context.ts'
import { Dispatcher } from '../../../platform/jobs/dispatcher.ts'
import { notifyOfRuns } from './channels.ts'
import { type ClaimedRun, claimRuns, failAbandonedRuns } from './claim-runs.ts'
import { execute } from './execute.ts'
import { recordRun } from './runs.ts'

/** Concurrent runs of one server: as many as the sandbox has processes, minus one for test runs. */
const AT_ONCE = 3

/** Executes waiting runs. One per server. */
export const runQueueOf = perServer(
  (context) =>
    new Dispatcher<ClaimedRun>(context.log, {
      name: 'functions',
      atOnce: AT_ONCE,
      batch: AT_ONCE,
      claim: (limit, leftOut) => claimRuns(context.db, limit, leftOut),
      groups: {
        of: ({ account_id }) => ({ group: account_id, atOnce: AT_ONCE }),
        inTurns: true,
        // Never called: one account's share of the runs is limited by the claim itself, for all servers.
        release: async () => undefined,
      },
      run: (run) => runClaimed(context, run),
    }),
)

async function runClaimed(context: Context, run: ClaimedRun): Promise<void> {
  const { account_id, id, function_id, code, modules, event, payload, depth } = run
  await notifyOfRuns(context, account_id, function_id)
  const outcome = await execute(
    context,
    { account_id, id: function_id, code, modules },
    { run_id: id, depth, event, payload },
  )
  const { duration_ms: ms, error } = outcome
  context.log.debug({ function_id, function_run_id: id, ok: !error, ms }, 'A function ran')
  await context.change((tx) => recordRun(tx, { account_id, function_id }, id, outcome))
  await notifyOfRuns(context, account_id, function_id)
}

/** Each minute: cleans up after dead servers. */
export async function recoverRuns(context: Context): Promise<void> {
  await failAbandonedRuns(context.db)
  runQueueOf(context).wake()
}
