import type { PushPayload } from '#contract/conversations/push.ts'
import { showPush } from './show-push.ts'

declare const self: ServiceWorkerGlobalScope

/**
 * Shows notifications. It answers no requests, so it never serves an old version of the dashboard. Everything that is
 * written after a deployment is here at once: a new worker does not wait until all tabs are closed.
 */
self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const payload: PushPayload | undefined = event.data?.json()
  if (payload) event.waitUntil(showPush(self.registration, payload))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data?.navigate ?? '/'))
})

/** Browsers without this event send their new address when a page is opened. */
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(event as SubscriptionChange))
})

/** Shows a page in a window that is open already, without loading it again; otherwise in a new one. */
async function openPage(url: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' })
  const existing = windows.find(({ visibilityState }) => visibilityState === 'visible') ?? windows[0]
  if (!existing) return void (await self.clients.openWindow(url))
  existing.postMessage({ type: 'open', path: new URL(url).pathname })
  await existing.focus()
}

interface SubscriptionChange extends ExtendableEvent {
  oldSubscription?: PushSubscription | null
  newSubscription?: PushSubscription | null
}

/** Tells the server the new address. The old one is the proof that this is the same browser. */
async function renewSubscription({ oldSubscription, newSubscription }: SubscriptionChange): Promise<void> {
  if (!oldSubscription) return
  const next = newSubscription ?? (await self.registration.pushManager.subscribe(oldSubscription.options))
  const { endpoint, keys } = next.toJSON()
  await fetch('/api/push_devices/renewed', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ old_endpoint: oldSubscription.endpoint, subscription: { endpoint, keys } }),
  })
}
