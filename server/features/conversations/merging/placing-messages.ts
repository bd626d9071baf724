import type { Change } from '../../../platform/db/change.ts'
import { moveWaitingDeliveries } from '../../connections/deliveries/deliveries.ts'
import { moveMessages, type Position } from '../conversations/moving-messages.ts'

/** Moves messages to their new positions, with what is still to be sent of them. */
export async function placeMessages(tx: Change, account_id: string, positions: Position[]): Promise<void> {
  await moveMessages(tx, account_id, positions)
  const ids = positions.map(({ id }) => id)
  await moveWaitingDeliveries(tx, account_id, ids)
}
