import { createHash } from 'node:crypto'

/** Reproducible random choices, so that seeded databases are alike and a bench can be repeated. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1
  }

  /** From 0 (included) to 1 (not included). */
  next(): number {
    // Mulberry32: small, fast, and good enough for fictional people.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }
}

/** A UUID of version 4 derived from a name. */
export function idOf(name: string): string {
  const hex = createHash('md5').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
