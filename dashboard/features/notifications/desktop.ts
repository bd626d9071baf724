/** A notification of the operating system. */
export interface DesktopNotice {
  title: string
  body: string
  /** Of several with one tag only the newest shows, whichever tab sent it. */
  tag: string
  open: () => void
}

export type Permission = NotificationPermission | 'unsupported'

export function readPermission(): Permission {
  return 'Notification' in window ? Notification.permission : 'unsupported'
}

/** Shows a notice outside the browser, if that was allowed; a click brings this tab forward and opens what it is about. */
export function showOnDesktop({ title, body, tag, open }: DesktopNotice) {
  if (readPermission() !== 'granted') return
  const shown = new Notification(title, { body, tag, icon: '/favicon.svg', silent: true })
  shown.onclick = () => {
    window.focus()
    open()
    shown.close()
  }
}
