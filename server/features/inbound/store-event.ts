import type { IntegrationName } from '#contract/integrations.ts'
import type { Context } from '../../context.ts'
import type { Change } from '../../platform/db/change.ts'
import { currentRequestId } from '../../platform/request-id.ts'
import { newId } from '../../platform/secrets.ts'
import { removeFile } from '../files/files.ts'
import { processInbound } from './process.ts'

export interface NewInboundEvent {
  account_id: string
  integration: IntegrationName
  authorization_id: string | null
  /** What the other side calls it; with the authorization in it where that is not unique there. A repeat is stored once. */
  key: string
  /** Its thread: events of one queue are worked through in order. */
  queue: string
  payload?: Record<string, unknown>
  /** Where the bytes lie, from `keepBytes`. */
  file_key?: string | null
  /** Nothing is made of it before. At once without it. */
  not_before?: Date | undefined
}

/**
 * Stores what came in, in a transaction of the caller: once it has committed, the other side may be told that it arrived, and
 * a job works on it. False when it was stored before; the bytes of a repeat are removed.
 */
export async function storeInbound(
  { jobs }: Pick<Context, 'jobs'>,
  { db }: Change,
  event: NewInboundEvent,
): Promise<boolean> {
  const { account_id, integration, authorization_id, key, queue, payload = {}, file_key = null, not_before } = event
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('inbound_events')
    .values({
      account_id,
      id: newId(),
      integration,
      authorization_id,
      key: key.slice(0, 1000),
      queue: queue.slice(0, 1000),
      // No database keeps the sign of which there is none.
      payload: JSON.stringify(payload).replaceAll('\\u0000', ''),
      file_key,
      ...(not_before && { not_before: not_before.toISOString() }),
      request_id: currentRequestId() ?? null,
    })
    .onConflict((taken) => taken.columns(['account_id', 'integration', 'key']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) {
    await jobs.enqueue(db, processInbound, { account_id })
    return true
  }
  if (file_key) await jobs.enqueue(db, removeFile, { account_id, key: file_key })
  return false
}

/** Keeps bytes that are too large for a row, before the event that names them is stored. */
export async function keepBytes({ files }: Pick<Context, 'files'>, account_id: string, bytes: Buffer): Promise<string> {
  const key = `${account_id}/inbound-${newId()}`
  await files.put(key, bytes, 'application/octet-stream')
  return key
}
