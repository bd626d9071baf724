import type { Change } from '../../../platform/db/change.ts'
import { loadActiveRules } from './load-rules.ts'
import { reportProblem } from './rules.ts'
import { missingTargets } from './targets.ts'

/** Switches off rules that name something which was deleted, or somebody who left: they would silently do less. */
export async function switchOffBroken(tx: Change, account_id: string): Promise<void> {
  const broken = await missingTargets(tx.db, account_id, await loadActiveRules(tx.db, account_id))
  const ids = [...broken].map(({ id }) => id)
  if (ids.length > 0) await reportProblem(tx, account_id, ids, 'target')
}
