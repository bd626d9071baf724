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

/** What a proxy may send as an id: short, and of characters that mean nothing anywhere. None of ours. */
export function isRequestId(text: unknown): text is string {
  return typeof text === 'string' && /^(?!run:)[\w.:-]{1,64}$/.test(text)
}

const own = new Set<string>()

/** Does work whose requests to this very server bear an id of ours, `run:…`, which is believed of nobody else. */
export async function asOwnRequest<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  own.add(id)
  try {
    return await work()
  } finally {
    own.delete(id)
  }
}

/** Whether an id is that of work which is under way here. */
export function isOwnRequest(id: unknown): id is string {
  return typeof id === 'string' && own.has(id)
}
