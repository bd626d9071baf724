import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** More than belong together in any system. */
const MAX_EVENTS = 50

/** The waiting events of an event's queue, itself included, in the order in which they arrived. */
export function listWaitingBeside(
  db: Db,
  account_id: string,
  event_id: string,
): Promise<{ payload: Record<string, unknown> | null; created_at: string }[]> {
  return ofAccount(db, account_id)
    .selectFrom('inbound_events')
    .select(['payload', 'created_at'])
    .where(({ eb, selectFrom }) =>
      eb(
        eb.refTuple('integration', 'queue'),
        'in',
        selectFrom('inbound_events as own')
          .select(['own.integration', 'own.queue'])
          .where('own.account_id', '=', account_id)
          .where('own.id', '=', event_id)
          .$asTuple('integration', 'queue'),
      ),
    )
    .where('state', '=', 'waiting')
    .orderBy('seq')
    .limit(MAX_EVENTS)
    .$castTo<{ payload: Record<string, unknown> | null; created_at: string }>()
    .execute()
}
