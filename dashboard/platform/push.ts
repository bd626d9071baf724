import { logError } from './http/errors.ts'

/** The worker that shows notifications while no page is open. Its address never changes: browsers know it by that. */
const WORKER = '/sw.js'

/**
 * Whether this browser can be notified while the page is closed: `install` where only apps on the home screen can (iOS),
 * `denied` where the user has forbidden it.
 */
export type PushSupport = 'possible' | 'install' | 'denied' | 'unsupported'

export function readPushSupport(): PushSupport {
  const isPossible = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (isPossible) return Notification.permission === 'denied' ? 'denied' : 'possible'
  return isIos() && !matchMedia('(display-mode: standalone)').matches ? 'install' : 'unsupported'
}

/** iPads call themselves Macs, which have no touch screens. */
function isIos(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  )
}

/**
 * Asks for permission and subscribes this browser. To be called from a press of the user, because browsers demand it.
 * @param public_key the server's key, in base64url
 * @returns undefined if the user does not allow it
 */
export async function subscribeToPush(public_key: string): Promise<PushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  const existing = await pushManager.getSubscription()
  if (existing && hasKey(existing, public_key)) return existing
  // A browser has one subscription, for one key.
  await existing?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key })
}

/** Whether a subscription is for this key; keys change if an installation loses its own. */
export function hasKey({ options }: PushSubscription, public_key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return (
    bytes.length === 0 ||
    btoa(String.fromCharCode(...bytes))
      .replace(/\+/g, '-')
      .replace(/\//g, '_')
      .replace(/=+$/, '') === public_key
  )
}

/** The subscription of this browser, if it has one. */
export async function findPushSubscription(): Promise<PushSubscription | undefined> {
  const registration = await findRegistration()
  return (await registration?.pushManager.getSubscription()) ?? undefined
}

/** Ends the subscription of this browser. */
export async function unsubscribeFromPush(): Promise<void> {
  await (await findPushSubscription())?.unsubscribe()
}

/** Closes the shown notifications whose conversation (null for several) fulfils a condition. */
export async function closeNotifications(shouldClose: (conversation_id: string | null) => boolean): Promise<void> {
  try {
    for (const notification of (await (await findRegistration())?.getNotifications()) ?? []) {
      if (shouldClose(notification.data?.conversation_id ?? null)) notification.close()
    }
  } catch (error) {
    logError('Notifications not closed', error)
  }
}

/** The conversations of shown notifications. */
export async function listNotified(): Promise<string[]> {
  const shown = (await (await findRegistration())?.getNotifications()) ?? []
  return shown.flatMap(({ data }) => data?.conversation_id ?? [])
}

async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration() : undefined
}
