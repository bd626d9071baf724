import type { AccessChange } from './channel.ts'
import type { Topics } from './topics.ts'

/** Keeps thousands of sockets of one account from using up the database. */
const AT_ONCE = 8

/** Rechecks whether clients of this node's channels may still be there. */
export class AccessChecks {
  readonly #topics: Topics
  #working: Promise<void> = Promise.resolve()
  /** How many changes there have been. A join in progress compares it to notice one. */
  count = 0

  constructor(topics: Topics) {
    this.#topics = topics
  }

  /** One change after the other, because the result of one decides whom the next concerns. */
  enqueue(change: AccessChange) {
    this.count++
    this.#working = this.#working.then(() => this.#check(change))
  }

  async #check(change: AccessChange) {
    let checks: Promise<void>[] = []
    for (const channel of this.#topics.ofAccount(change.account_id)) {
      const check = channel.recheck(change)
      if (check) checks.push(check)
      if (checks.length < AT_ONCE) continue
      await Promise.all(checks)
      checks = []
    }
    await Promise.all(checks)
  }
}
