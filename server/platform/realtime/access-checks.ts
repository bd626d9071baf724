import type { AccessChange } from './channel.ts'
import type { Topics } from './topics.ts'

/** Thousands of sockets of one account do not take the database from everybody else. */
const AT_ONCE = 8

/** Asks channels of this node again whether their clients may still be there. */
export class AccessChecks {
  readonly #topics: Topics
  #working: Promise<void> = Promise.resolve()
  /** How many changes there have been. Whoever joined meanwhile asks for itself. */
  count = 0

  constructor(topics: Topics) {
    this.#topics = topics
  }

  /** One change after the other, because the answer to one tells whom the next concerns. */
  take(change: AccessChange) {
    this.count++
    this.#working = this.#working.then(() => this.#check(change))
  }

  async #check(change: AccessChange) {
    let asked: Promise<void>[] = []
    for (const channel of this.#topics.ofAccount(change.account_id)) {
      const asking = channel.recheck(change)
      if (asking) asked.push(asking)
      if (asked.length < AT_ONCE) continue
      await Promise.all(asked)
      asked = []
    }
    await Promise.all(asked)
  }
}
