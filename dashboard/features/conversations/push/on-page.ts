import type { QueryClient } from '@tanstack/react-query'
import { conversations } from '#contract/conversations/conversations.ts'
import type { ClientEvent } from '#contract/events.ts'
import { call } from '../../../platform/http/api.ts'
import { logError } from '../../../platform/http/errors.ts'
import {
  closeNotifications,
  findPushSubscription,
  hasKey,
  listNotified,
  subscribeToPush,
  unsubscribeFromPush,
} from '../../../platform/push.ts'
import { readOwnDevice, writeOwnDevice } from './own-device.ts'
import { pushDevicesQuery, pushStatusQuery, registerSubscription } from './queries.ts'

/**
 * Keeps this browser's subscription up to date, if the user is notified on it: push services give new addresses, and an
 * installation that lost its keys has others. A device that was removed elsewhere stays removed.
 */
export async function refreshDevice(client: QueryClient, user_id: number): Promise<void> {
  const own = readOwnDevice(user_id)
  if (!own || Notification.permission !== 'granted') return
  try {
    const [devices, { public_key }, subscription] = await Promise.all([
      client.fetchQuery(pushDevicesQuery),
      client.fetchQuery(pushStatusQuery),
      findPushSubscription(),
    ])
    const isListed = devices.some(({ id }) => id === own.device_id)
    const hasMoved = !!subscription && subscription.endpoint !== own.endpoint
    if (!isListed && !hasMoved) {
      writeOwnDevice(undefined)
      return await unsubscribeFromPush()
    }
    if (isListed && !hasMoved && subscription && hasKey(subscription, public_key)) return
    const next = await subscribeToPush(public_key)
    if (next) await registerSubscription(next, user_id)
  } catch (error) {
    logError('Push subscription not refreshed', error)
  }
}

/** Closes notifications of conversations that were read, closed or deleted while no page was open. */
export async function closeOutdated(): Promise<void> {
  try {
    const ids = [...new Set(await listNotified())]
    const states = await Promise.all(ids.map(async (id) => [id, await isHandled(id)] as const))
    const over = new Set(states.flatMap(([id, isDone]) => (isDone ? [id] : [])))
    // Somebody who opens the page sees all of the conversations that one notification was about.
    await closeNotifications((id) => id === null || over.has(id))
  } catch (error) {
    logError('Notifications not closed', error)
  }
}

async function isHandled(id: string): Promise<boolean> {
  const { data } = await call(conversations.get, { params: { id }, query: { messages: 'last' } })
  return data.read || data.status === 'closed' || data.archived_at !== null
}

/** Closes notifications of conversations that these events say were read, closed or deleted. */
export async function closeRead(events: ClientEvent[]): Promise<void> {
  const ids = new Set(
    events.flatMap((event) => {
      if (event.event === 'messages:read') return [event.payload.conversation_id]
      if (event.event !== 'conversation:updated') return []
      const { read, status, archived_at } = event.payload.updates
      return read || status === 'closed' || archived_at !== null ? [event.payload.id] : []
    }),
  )
  if (ids.size > 0) await closeNotifications((id) => id !== null && ids.has(id))
}
