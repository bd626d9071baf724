import type { PushPayload } from '#contract/conversations/push.ts'
import { hasReceived, noteReceived } from './received.ts'

/** A notification that replaces one of the same conversation within this time makes no sound. */
const QUIET_MS = 60_000

/**
 * Shows a notification once, however often the push service repeats it, and closes those whose conversations no longer
 * wait.
 */
export async function showPush(registration: ServiceWorkerRegistration, payload: PushPayload): Promise<void> {
  const { title, navigate, data, ...options } = payload.notification
  await closeOthers(registration, data.waiting, options.tag)
  await setBadge(payload.app_badge)
  if (await hasReceived(data.id)) return
  const [shown] = await registration.getNotifications({ tag: options.tag })
  const isQuiet = !!shown && Date.now() - shown.data?.shown_at < QUIET_MS
  await registration.showNotification(title, {
    ...options,
    // Several systems draw no SVG.
    icon: '/icon-192.png',
    ...(shown && { renotify: !isQuiet }),
    data: { ...data, navigate, shown_at: Date.now() },
  } as NotificationOptions)
  // Afterwards: a worker that is killed in between shows it once more, in place of the first.
  await noteReceived(data.id)
}

async function closeOthers(registration: ServiceWorkerRegistration, waiting: string[] | null, tag: string) {
  if (!waiting) return
  for (const notification of await registration.getNotifications()) {
    const isStale =
      notification.data?.conversation_id && !waiting.includes(notification.tag) && notification.tag !== tag
    if (isStale) notification.close()
  }
}

/** Only browsers with installed apps have icons with numbers. */
async function setBadge(count: number): Promise<void> {
  const badges = navigator as Partial<Pick<WorkerNavigator, 'setAppBadge'>>
  await badges.setAppBadge?.(count).catch(() => undefined)
}
