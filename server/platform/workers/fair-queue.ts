import { TooMany } from '../../errors.ts'

/** Suggested delay before another try, in seconds. */
const RETRY_SECONDS = 5

/** Too much work is waiting. */
export class WorkersBusy extends TooMany {
  constructor() {
    super(RETRY_SECONDS)
  }
}

interface Waiting<Item> {
  item: Item
  bytes: number
}

/**
 * Waiting work of many accounts, which take turns: however much one of them adds, the next item of every other account
 * waits for one turn. Items are held in memory, so their number and size are limited. A full queue drops the newest
 * item of the account that holds most of it, so one account cannot shut out the others.
 */
export class FairQueue<Item> {
  readonly #limits: { items: number; bytes: number }
  /** In the order of their turns. */
  readonly #accounts = new Map<string, Waiting<Item>[]>()
  #items = 0
  #bytes = 0

  constructor(limits: { items: number; bytes: number }) {
    this.#limits = limits
  }

  /**
   * Adds an item, and returns those that were dropped for it.
   * @throws WorkersBusy if this account itself holds most of a full queue
   */
  push(account_id: string, item: Item, bytes: number): Item[] {
    const dropped: Item[] = []
    while (this.#isFullWith(bytes)) {
      const largest = this.#findLargest(account_id, bytes)
      if (largest === undefined) throw new WorkersBusy()
      dropped.push(this.#remove(largest, 'newest'))
    }
    this.#accounts.set(account_id, [...(this.#accounts.get(account_id) ?? []), { item, bytes }])
    this.#items++
    this.#bytes += bytes
    return dropped
  }

  /** The first item of the account whose turn it is, of those that may have one. */
  shift(mayRun: (account_id: string) => boolean): { account_id: string; item: Item } | undefined {
    const account_id = this.#accounts.keys().find(mayRun)
    if (account_id === undefined) return undefined
    const item = this.#remove(account_id, 'oldest')
    const remaining = this.#accounts.get(account_id)
    this.#accounts.delete(account_id)
    if (remaining) this.#accounts.set(account_id, remaining)
    return { account_id, item }
  }

  /** Removes and returns everything. */
  clear(): Item[] {
    const items = [...this.#accounts.values()].flat().map(({ item }) => item)
    this.#accounts.clear()
    this.#items = 0
    this.#bytes = 0
    return items
  }

  /** A single item may be larger than the limit: it would never be accepted otherwise. */
  #isFullWith(bytes: number): boolean {
    const { items, bytes: maxBytes } = this.#limits
    return this.#items >= items || (this.#items > 0 && this.#bytes + bytes > maxBytes)
  }

  /** The account that holds most, if it holds more than this one would. */
  #findLargest(account_id: string, bytes: number): string | undefined {
    const isCounted = this.#items >= this.#limits.items
    const sizeOf = (list: Waiting<Item>[]) =>
      isCounted ? list.length : list.reduce((sum, { bytes }) => sum + bytes, 0)
    let largest: string | undefined
    let largestSize = sizeOf(this.#accounts.get(account_id) ?? []) + (isCounted ? 1 : bytes)
    for (const [id, list] of this.#accounts) {
      if (id === account_id || sizeOf(list) < largestSize) continue
      largest = id
      largestSize = sizeOf(list)
    }
    return largest
  }

  #remove(account_id: string, end: 'oldest' | 'newest'): Item {
    const list = this.#accounts.get(account_id)!
    const { item, bytes } = end === 'oldest' ? list.shift()! : list.pop()!
    if (list.length === 0) this.#accounts.delete(account_id)
    this.#items--
    this.#bytes -= bytes
    return item
  }
}
