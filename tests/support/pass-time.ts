import type { ExpressionBuilder } from 'kysely'
import { wakeSender } from '#server/features/connections/deliveries/sender.ts'
import { inboundOf } from '#server/features/connections/inbound/process.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { expect } from './fixture.ts'
import type { TestServer } from './server.ts'

/** Simulates that a minute has passed: everything that waits to be sent or retried is due, and no connection pauses. */
export async function passTime({ context }: TestServer): Promise<void> {
  const { db } = context
  const ago = new Date(Date.now() - 60_000).toISOString()
  await db
    .updateTable('deliveries')
    .set({ not_before: ago, taken_until: null })
    .where('state', '=', 'waiting')
    .execute()
  await db.updateTable('inbound_events').set({ not_before: ago }).where('state', '=', 'waiting').execute()
  await db.updateTable('authorizations').set({ paused_until: null }).execute()
  wakeSender(context)
  inboundOf(context).wake()
}

/**
 * Makes the mail of a message due, whatever it waits for. Takes the id of a message, or of a conversation for its first
 * one; waits until that mail exists.
 */
export async function sendNow(server: TestServer, id: string): Promise<void> {
  const { db } = server.context
  const isMeant = (eb: ExpressionBuilder<Database, 'deliveries'>) => eb.or({ message_id: id, conversation_id: id })
  const planned = () => db.selectFrom('deliveries').select('state').where(isMeant).execute()
  await expect.poll(planned, { interval: 20 }).not.toEqual([])
  await db
    .updateTable('deliveries')
    .set({ not_before: new Date().toISOString() })
    .where(isMeant)
    .where('tries', '=', 0)
    .execute()
  wakeSender(server.context)
}

/** Waits for a failed try, then makes the next one due. */
export async function tryAgainNow(server: TestServer): Promise<void> {
  const failed = server.context.db
    .selectFrom('deliveries')
    .select('problem')
    .where('state', '=', 'waiting')
    .where('tries', '>', 0)
    .where('taken_until', 'is', null)
  await expect.poll(() => failed.execute(), { timeout: 30_000, interval: 20 }).not.toEqual([])
  await passTime(server)
}
