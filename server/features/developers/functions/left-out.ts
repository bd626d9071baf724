import { sql } from 'kysely'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'

/** Maximum number of waiting runs of one function. Stops one that keeps triggering itself. */
export const MAX_WAITING = 1_000

interface LeftOut {
  account_id: string
  function_id: string
  event: string
  count: number
}

/** Counts skipped events in an entry among the runs, one per hour, where admins see them. */
export async function recordLeftOut({ db }: Change, { account_id, function_id, event, count }: LeftOut): Promise<void> {
  const line = await ofAccount(db, account_id)
    .selectFrom('function_runs')
    .select(['id', 'left_out'])
    .where('function_id', '=', function_id)
    .where('left_out', 'is not', null)
    .where('created_at', '>', sql<string>`now() - interval '1 hour'`)
    .executeTakeFirst()
  const left_out = (line?.left_out ?? 0) + count
  const error = toJson({ errorType: 'Error', errorMessage: sentence(left_out), trace: [] })
  if (!line) {
    const row = { account_id, id: newId(), function_id, event, state: 'failed' as const, left_out, error }
    await db.insertInto('function_runs').values(row).execute()
    return
  }
  await ofAccount(db, account_id)
    .updateTable('function_runs')
    .set({ left_out, error })
    .where('id', '=', line.id)
    .execute()
}

function sentence(count: number): string {
  const events = count === 1 ? '1 event was' : `${count.toLocaleString('en')} events were`
  return `${events} not run because ${MAX_WAITING.toLocaleString('en')} were waiting.`
}
