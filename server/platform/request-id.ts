import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<string | undefined>()

/** The id of the request that the current work belongs to, or follows from. */
export function currentRequestId(): string | undefined {
  return storage.getStore()
}

/**
 * Runs work with a request id, which its log lines, jobs and events carry. Without an id it belongs to no request, even
 * if it was started by one.
 */
export function withRequestId<Result>(id: string | null | undefined, work: () => Result): Result {
  return storage.run(id ?? undefined, work)
}

/** Whether an id from a proxy is acceptable: short, of harmless characters, and not in our own form. */
export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && /^(?!run:)[\w.:-]{1,64}$/.test(text)
}

const own = new Set<string>()

/** Runs work whose requests to this server carry an id of ours, `run:…`, which is accepted from nobody else. */
export async function asOwnRequest<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  own.add(id)
  try {
    return await work()
  } finally {
    own.delete(id)
  }
}

/** Whether an id belongs to such work in progress here. */
export function isOwnRequest(id: unknown): id is string {
  return typeof id === 'string' && own.has(id)
}
