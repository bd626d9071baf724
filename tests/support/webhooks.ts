import { type EventSubscriptionDraft, eventSubscriptions } from '#contract/developers/webhooks.ts'
import { dispatcherOf } from '#server/features/developers/webhooks/dispatcher.ts'
import { withoutBystanders } from './bystanders/watched.ts'
import { test as base, type Caller, type Callers } from './fixture.ts'
import type { TestServer } from './server.ts'
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts'
import { startConversation, startVisitor, type World } from './world.ts'

/** Webhooks may be sent to this machine. */
export const test = base.extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })

/** A delivery may take a while on a busy machine. */
export const TIMEOUT = { timeout: 20_000, interval: 50 }

const started: WebhookReceiver[] = []
/** The receiver of the running test. */
export let receiver: WebhookReceiver

/** Starts the receiver of a test. */
export async function renewReceiver(): Promise<void> {
  receiver = await startOneReceiver()
}

/** Starts another receiver, closed after the tests of the file. */
export async function startOneReceiver(): Promise<WebhookReceiver> {
  const extraReceiver = await startReceiver()
  started.push(extraReceiver)
  return extraReceiver
}

/** Closes all receivers after the tests of a file. */
export async function closeReceivers(): Promise<void> {
  await Promise.all(started.splice(0).map((startedReceiver) => startedReceiver.close()))
}

/** Removes the webhooks that a test has added. */
export async function removeWebhooks(as: Callers): Promise<void> {
  for (const { id } of withoutBystanders((await as.ada(eventSubscriptions.list)).data))
    await as.ada(eventSubscriptions.remove, { params: { id } })
}

/** Adds a webhook, by default to the receiver of the running test. */
export const subscribe = async (ada: Caller, more: Partial<EventSubscriptionDraft> = {}, to = receiver) =>
  (
    await ada(eventSubscriptions.create, {
      body: { event_subscription: { webhook_url: `${to.url}/hook`, ...more } as EventSubscriptionDraft },
    })
  ).data

/** A new visitor starts a conversation. */
export const writeAsVisitor = async (server: TestServer, world: World, body: string) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Walker' })
  return { visitor, ...(await startConversation(server, visitor, body)) }
}

/** The texts of the messages that a receiver got. */
export const bodies = (source = receiver) => source.received.map(({ body }) => body.payload.body)

/** Makes everything that waits for another try due. */
export async function passTime({ context }: TestServer, hours = 1) {
  const { db } = context
  const ago = new Date(Date.now() - hours * 3_600_000).toISOString()
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: ago, begun_at: ago })
    .where('state', '=', 'pending')
    .execute()
  await db
    .updateTable('event_subscriptions')
    .set({ failing_since: ago })
    .where('failing_since', 'is not', null)
    .execute()
  dispatcherOf(context).wake()
}
