import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import type { ClientEvent } from '#contract/events.ts'
import { logError } from '../../../platform/http/errors.ts'
import { isNotifiedByPush } from './own-device.ts'

/** Loaded only where notifications are on. Without it the page goes on. */
const onPage = (use: (loaded: typeof import('./on-page.ts')) => Promise<void>) =>
  import('./on-page.ts').then(use).catch((error) => logError('Notifications of this device not updated', error))

/** Opens what the user presses in notifications, and closes those that are no longer needed. */
export function usePushOnPage(user_id: number): void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const open = useEffectEvent((path: string) => void navigate(path))
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return
    // Also before notifications are turned on: that may happen while this page is open.
    const listen = ({ data }: MessageEvent) => {
      if (data?.type === 'open' && typeof data.path === 'string') open(data.path)
    }
    const look = async () => {
      if (document.visibilityState === 'visible' && isNotifiedByPush()) await onPage((loaded) => loaded.closeOutdated())
    }
    navigator.serviceWorker.addEventListener('message', listen)
    document.addEventListener('visibilitychange', look)
    if (isNotifiedByPush()) void onPage((loaded) => loaded.refreshDevice(client, user_id))
    void look()
    return () => {
      navigator.serviceWorker.removeEventListener('message', listen)
      document.removeEventListener('visibilitychange', look)
    }
  }, [client, user_id])
}

/** Closes notifications of what events say was read, on this device, too. */
export async function closeNotificationsOf(events: ClientEvent[]): Promise<void> {
  if (isNotifiedByPush()) await onPage((loaded) => loaded.closeRead(events))
}
