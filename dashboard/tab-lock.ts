const STALE_MS = 10_000
const POLL_MS = 100

/**
 * Runs work while no other tab of this browser runs work under the same name. Pages served without TLS have no Web
 * Locks; there a stamp in local storage does nearly as well.
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (typeof navigator !== 'undefined' && navigator.locks) return navigator.locks.request(name, work)
  const key = `${name}.lock`
  while (Date.now() - Number(localStorage.getItem(key)) < STALE_MS) await pause(POLL_MS)
  localStorage.setItem(key, String(Date.now()))
  try {
    return await work()
  } finally {
    localStorage.removeItem(key)
  }
}

function pause(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
