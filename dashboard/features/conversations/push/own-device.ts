import { storage } from '../../../platform/storage.ts'

/** What this browser knows of itself as a device that is notified. */
interface OwnDevice {
  user_id: number
  device_id: string
  endpoint: string
}

const KEY = 'push-device'

/** This browser as a device of a user, if it is one. */
export function readOwnDevice(user_id: number): OwnDevice | undefined {
  const device = parse(storage.getItem(KEY))
  return device?.user_id === user_id ? device : undefined
}

/** Whether notifications reach this browser through its push service. */
export function isNotifiedByPush(): boolean {
  return storage.getItem(KEY) !== null
}

export function writeOwnDevice(device: OwnDevice | undefined): void {
  if (device) storage.setItem(KEY, JSON.stringify(device))
  else storage.removeItem(KEY)
}

function parse(json: string | null): OwnDevice | null | undefined {
  try {
    return JSON.parse(json ?? 'null')
  } catch {
    return undefined
  }
}
