import { type SqlBool, sql } from 'kysely'
import type { FunctionRun } from '#contract/developers/functions.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import type { SandboxOutcome } from '../../../platform/sandbox/sandbox.ts'
import { newId } from '../../../platform/secrets.ts'

/** Number of runs kept per function. */
export const KEPT = 100

interface FunctionKey {
  account_id: string
  function_id: string
}

const columns = [
  'id',
  'event',
  'state',
  'is_test',
  'result',
  'error',
  'logs',
  'duration_ms',
  'created_at',
  'started_at',
] as const

/** The newest runs of a function, including waiting ones. */
export async function listRuns(db: Db, { account_id, function_id }: FunctionKey, limit = KEPT): Promise<FunctionRun[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('function_runs')
    .select(columns)
    .where('function_id', '=', function_id)
    .orderBy('seq', 'desc')
    .limit(Math.min(Math.max(1, limit), KEPT))
    .$castTo<Omit<FunctionRun, 'object'>>()
    .execute()
  return rows.map(presentFunctionRun)
}

/** Records a run that a user waited for. */
export async function recordTest(
  change: Change,
  key: FunctionKey,
  { event, outcome }: { event: string; outcome: SandboxOutcome },
): Promise<FunctionRun> {
  const row = await change.db
    .insertInto('function_runs')
    .values({ ...key, id: newId(), event, is_test: true, started_at: new Date().toISOString(), ...ended(outcome) })
    .returning(columns)
    .$castTo<Omit<FunctionRun, 'object'>>()
    .executeTakeFirstOrThrow()
  await afterRun(change, key)
  return presentFunctionRun(row)
}

/** Records the outcome of a queued run. */
export async function recordRun(change: Change, key: FunctionKey, id: string, outcome: SandboxOutcome): Promise<void> {
  await ofAccount(change.db, key.account_id)
    .updateTable('function_runs')
    .set({ ...ended(outcome), payload: null, leased_until: null })
    .where('id', '=', id)
    .execute()
  await afterRun(change, key)
}

function ended({ result, error, logs, duration_ms }: SandboxOutcome) {
  return {
    state: error ? ('failed' as const) : ('succeeded' as const),
    result: toJson(result ?? null),
    error: error ? toJson(error) : null,
    logs: toJson(logs),
    duration_ms,
  }
}

/** Keeps only the newest runs. */
async function afterRun({ db }: Change, { account_id, function_id }: FunctionKey): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('functions')
    .set({ last_executed_at: new Date().toISOString() })
    .where('id', '=', function_id)
    .execute()
  await ofAccount(db, account_id)
    .deleteFrom('function_runs')
    .where('function_id', '=', function_id)
    .where('state', 'in', ['succeeded', 'failed'])
    .where(
      sql<SqlBool>`seq <= (
        select seq from function_runs
        where account_id = ${account_id} and function_id = ${function_id} and state in ('succeeded', 'failed')
        order by seq desc offset ${KEPT} limit 1)`,
    )
    .execute()
}

function presentFunctionRun(row: Omit<FunctionRun, 'object'>): FunctionRun {
  return { ...row, object: 'function_run' }
}
