import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<string | undefined>()

/** The id of the request that the running work belongs to, or follows from. */
export function currentRequestId(): string | undefined {
  return storage.getStore()
}

/**
 * Does work in the name of a request: lines of the log, jobs and events that it writes bear the id. Without an id it is
 * nobody's, whatever request it was begun in.
 */
export function withRequestId<Result>(id: string | null | undefined, work: () => Result): Result {
  return storage.run(id ?? undefined, work)
}

/** What a proxy may send as an id: short, and of characters that mean nothing anywhere. */
export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && /^[\w.:-]{1,64}$/.test(text)
}
