import { storage } from '../storage.ts'

const STALE_MS = 10_000
const POLL_MS = 100

/**
 * Runs work while no other tab of this browser runs work under the same name. Pages served without TLS have no Web
 * Locks, and browsers that forbid storage forbid them; there a stamp in local storage does nearly as well.
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
  // A clock that was set back must not make a left-over stamp hold for as long as that.
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
