import { sql, type Updateable } from 'kysely'
import { type Delivery, deliveryUpdated } from '#contract/connections/deliveries.ts'
import { NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { describeDisconnected } from './disconnected.ts'
import { HELD_PROBLEM, isHeld } from './is-held.ts'

/** @throws NotFound */
export async function getDelivery(db: Db, account_id: string, id: string): Promise<Delivery> {
  const row = await selectDeliveries(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentDelivery(row)
}

/** Why a delivery is not sent until somebody repairs its connection; undefined if that works. */
export async function findOutage(db: Db, account_id: string, id: string): Promise<string | undefined> {
  const row = await selectDeliveries(db, account_id).where('id', '=', id).executeTakeFirst()
  return row && describeOutage(row, row.connection)
}

interface DeliveryKey {
  account_id: string
  id: string
}

/** Changes the row of a delivery. False if a try is given and a newer one has begun since, whose outcome counts. */
export async function updateDelivery(
  { db }: Change,
  { account_id, id, tries }: DeliveryKey & { tries?: number },
  changes: Updateable<Database['deliveries']>,
): Promise<boolean> {
  const { numUpdatedRows } = await ofAccount(db, account_id)
    .updateTable('deliveries')
    .set({ ...changes, updated_at: sql<string>`clock_timestamp()` })
    .where('id', '=', id)
    .$if(tries !== undefined, (query) => query.where('tries', '=', tries!).where('state', '=', 'waiting'))
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Announces the state of a delivery to the team. */
export async function announceDelivery({ db, announce }: Change, { account_id, id }: DeliveryKey): Promise<Delivery> {
  const delivery = await getDelivery(db, account_id, id)
  announce(account_id, deliveryUpdated, { delivery })
  return delivery
}

/** Announces the states of several deliveries of an account, oldest first. */
export async function announceDeliveries(
  { db, announce }: Change,
  account_id: string,
  deliveries: { id: string }[],
): Promise<void> {
  const ids = deliveries.map(({ id }) => id)
  if (ids.length === 0) return
  const rows = await selectDeliveries(db, account_id).where('id', 'in', ids).orderBy('number').execute()
  for (const row of rows) announce(account_id, deliveryUpdated, { delivery: presentDelivery(row) })
}

type DeliveryRow = Omit<Delivery, 'object' | 'next_try_at' | 'needs_connection'> & {
  not_before: string
  is_held: boolean
  connection: { is_removed: boolean; state: string; problem: string | null } | null
}

/** Selects the columns under their database names. */
export function selectDeliveries(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('deliveries')
    .select([
      'id',
      'authorization_id',
      'integration',
      'conversation_id',
      'message_id',
      'kind',
      'state',
      'tries',
      'not_before',
      'problem',
      'sent_at',
      'delivered_at',
      'created_at',
      'updated_at',
    ])
    .select(isHeld('deliveries').as('is_held'))
    .select(
      sql`(
        select jsonb_build_object('is_removed', a.removed_at is not null, 'state', a.state, 'problem', a.problem)
        from authorizations a where a.account_id = deliveries.account_id and a.id = deliveries.authorization_id)`.as(
        'connection',
      ),
    )
    .$castTo<DeliveryRow>()
}

/** A delivery as shown to the team. */
export function presentDelivery({ not_before, is_held, connection, ...row }: DeliveryRow): Delivery {
  const waitsFor = row.state === 'waiting' ? describeOutage(row, connection) : undefined
  const shown = { ...row, object: 'delivery' as const, needs_connection: !!waitsFor }
  if (waitsFor) return { ...shown, next_try_at: null, problem: waitsFor }
  if (is_held) return { ...shown, next_try_at: null, problem: HELD_PROBLEM }
  return { ...shown, next_try_at: row.state === 'waiting' ? not_before : null }
}

/** Why nothing is sent over a connection until somebody repairs it; undefined if it works. */
function describeOutage(
  { integration }: Pick<DeliveryRow, 'integration'>,
  connection: DeliveryRow['connection'],
): string | undefined {
  if (connection?.is_removed) return describeDisconnected(integration)
  return connection?.state === 'broken' ? (connection.problem ?? describeDisconnected(integration)) : undefined
}
