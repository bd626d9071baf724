import { isNotifiedByPush } from '../push/own-device.ts'

/** A notification of the operating system. */
export interface DesktopNotice {
  title: string
  body: string
  /** Of several with the same tag only the newest is shown, whichever tab sent it. */
  tag: string
  open: () => void
}

export type Permission = NotificationPermission | 'unsupported'

export function readPermission(): Permission {
  return 'Notification' in window ? Notification.permission : 'unsupported'
}

/** Shows a desktop notification, if permitted. A click on it focuses this tab and opens its target. */
export function showOnDesktop({ title, body, tag, open }: DesktopNotice) {
  // Where its push service notifies this device, it would ring twice.
  if (readPermission() !== 'granted' || isNotifiedByPush()) return
  const shown = create(title, { body, tag, icon: '/icon-192.png', silent: true })
  if (!shown) return
  shown.onclick = () => {
    window.focus()
    open()
    shown.close()
  }
}

/** Browsers on Android have the class and refuse to make one: there only a service worker shows notifications. */
function create(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options)
  } catch {
    return undefined
  }
}
