import type { IntegrationName } from '#contract/connections/integrations.ts'
import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { storableText } from '../../../platform/json.ts'
import { currentRequestId } from '../../../platform/request-id.ts'
import { newId } from '../../../platform/secrets.ts'
import { removeFile } from '../../conversations/files/files.ts'
import { processInbound } from './process.ts'

export interface NewInboundEvent {
  account_id: string
  integration: IntegrationName
  authorization_id: string | null
  /**
   * The other system's id of the event; with the authorization's id if it is not unique there. A repeat is stored once.
   */
  key: string
  /** Its thread: events of one queue are processed in order. */
  queue: string
  payload?: Record<string, unknown>
  /** Where larger contents are stored, from `storeBytes`. */
  file_key?: string | null
  /** Not processed before this time; at once if left out. */
  not_before?: Date | undefined
}

/**
 * Stores a received event in the caller's transaction: once that has committed, its arrival may be acknowledged, and a
 * job processes it. False if it was stored before; the contents of a repeat are removed.
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
      key: storableText(key).slice(0, 1000),
      queue: storableText(queue).slice(0, 1000),
      payload: toJson(payload),
      file_key,
      ...(not_before && { not_before: not_before.toISOString() }),
      request_id: currentRequestId() ?? null,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'integration', 'key']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) {
    await jobs.enqueue(db, processInbound, { account_id })
    return true
  }
  if (file_key) await jobs.enqueue(db, removeFile, { account_id, key: file_key })
  return false
}

/** Stores contents that are too large for a row, before the event that refers to them. */
export async function storeBytes(
  { files }: Pick<Context, 'files'>,
  account_id: string,
  bytes: Buffer,
): Promise<string> {
  const key = `${account_id}/inbound-${newId()}`
  await files.put(key, bytes, 'application/octet-stream')
  return key
}
