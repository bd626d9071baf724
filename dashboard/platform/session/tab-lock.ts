import { storage } from '../storage.ts'

const STALE_MS = 10_000
const POLL_MS = 100

/**
 * Runs work while no other tab runs work of the same name. Web Locks are missing on pages without TLS and where storage
 * is forbidden; there a timestamp in local storage is used, which is almost as good.
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (typeof navigator === 'undefined' || !navigator.locks) return withStamp(name, work)
  let isAllowed = false
  const run = () => {
    isAllowed = true
    return work()
  }
  return navigator.locks.request(name, run).catch((error: unknown) => {
    if (isAllowed) throw error
    return withStamp(name, work)
  })
}

async function withStamp<T>(name: string, work: () => Promise<T>): Promise<T> {
  const key = `${name}.lock`
  // The absolute value: after the clock was set back, an old timestamp must not block for that long.
  while (Math.abs(Date.now() - Number(storage.getItem(key))) < STALE_MS) await pause(POLL_MS)
  storage.setItem(key, String(Date.now()))
  try {
    return await work()
  } finally {
    storage.removeItem(key)
  }
}

function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
