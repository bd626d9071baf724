import type { ExpressionBuilder } from 'kysely'
import { wakeSender } from '#server/features/deliveries/sender.ts'
import { inboundOf } from '#server/features/inbound/process.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { expect } from './fixture.ts'
import type { TestServer } from './server.ts'

/** As if a minute had passed: whatever waits to leave, or to be tried again, is due, and no connection rests. */
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

/** Once a message, or the first one of a conversation, waits to leave as a mail, as if the five seconds in which it may be taken back were over. */
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

/** Once something was tried in vain, as if the wait until its next try were over. */
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
