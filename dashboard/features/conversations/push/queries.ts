import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type PushDevice, type PushSettings, type PushSettingsChanges, push } from '#contract/conversations/push.ts'
import { call } from '../../../platform/http/api.ts'
import { useSavingSettings } from '../../../platform/http/useSavingSettings.ts'
import { subscribeToPush, unsubscribeFromPush } from '../../../platform/push.ts'
import { readOwnDevice, writeOwnDevice } from './own-device.ts'

/** The server's key, or why it sends no notifications. */
export const pushStatusQuery = queryOptions({
  queryKey: ['push'],
  queryFn: async ({ signal }) => (await call(push.status, { signal })).data,
})

/** The devices of the signed-in user. */
export const pushDevicesQuery = queryOptions({
  queryKey: ['push-devices'],
  queryFn: async ({ signal }): Promise<PushDevice[]> => (await call(push.listDevices, { signal })).data,
})

/** What the signed-in user is notified about on their devices. */
export const pushSettingsQuery = queryOptions({
  queryKey: ['push-settings'],
  queryFn: async ({ signal }): Promise<PushSettings> => (await call(push.getSettings, { signal })).data,
})

/** Registers the subscription of this browser with the server. */
export async function registerSubscription(subscription: PushSubscription, user_id: number): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  const sent = { endpoint: endpoint!, keys: { p256dh: keys!.p256dh!, auth: keys!.auth! } }
  const { data } = await call(push.registerDevice, {
    body: { device: { subscription: sent, language: navigator.language } },
  })
  writeOwnDevice({ user_id, device_id: data.id, endpoint: sent.endpoint })
}

/** Makes this browser a device of the user. Does nothing if they do not allow it. */
export async function addThisDevice(client: QueryClient, user_id: number): Promise<void> {
  const { public_key } = await client.fetchQuery(pushStatusQuery)
  const subscription = await subscribeToPush(public_key)
  if (subscription) await registerSubscription(subscription, user_id)
  await client.invalidateQueries(pushDevicesQuery)
}

/** Ends notifications on a device; on this browser also at its push service. */
export async function removeDevice(client: QueryClient, user_id: number, id: string): Promise<void> {
  await call(push.removeDevice, { params: { id } })
  client.setQueryData(pushDevicesQuery.queryKey, (shown) => shown?.filter((device) => device.id !== id))
  if (readOwnDevice(user_id)?.device_id !== id) return
  writeOwnDevice(undefined)
  await unsubscribeFromPush()
}

/** Sends a notification to a device. Returns why it failed, as a sentence. */
export async function tryDevice(client: QueryClient, id: string): Promise<string | null> {
  const { data } = await call(push.testDevice, { params: { id } })
  await client.invalidateQueries(pushDevicesQuery)
  return data.problem
}

/** Saves changes, shown at once and reverted if the server refuses. */
export function useSavePushSettings() {
  return useSavingSettings({
    key: pushSettingsQuery.queryKey,
    save: async (changes: PushSettingsChanges) =>
      (await call(push.updateSettings, { body: { push_settings: changes } })).data,
    failed: 'Settings not saved',
  })
}
