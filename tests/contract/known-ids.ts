import { randomUUID } from 'node:crypto'
import type { KnownId } from './values.ts'

const KEPT = 30

/** Ids that answers have held, by the names under which requests refer to them. */
export class KnownIds {
  readonly #byName = new Map<string, unknown[]>()

  /** Remembers the ids in an answer; `noun` is the first word of the call's path, such as `conversations`. */
  learn(noun: string, value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.learn(noun, item)
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'id') this.#add(noun, inner)
      else if (/_id$/.test(key)) this.#add(key, inner)
      else if (key === 'data') this.learn(noun, inner)
    }
    const { id, object } = value as { id?: unknown; object?: unknown }
    if (typeof object === 'string') this.#add(`${object}_id`, id)
  }

  /** The id of something that exists, or a new one. */
  find({ name, index }: KnownId, noun: string): unknown {
    const singular = name.replace(/_ids$/, '_id')
    const values = this.#byName.get(name === 'id' ? noun : singular) ?? this.#byName.get(noun) ?? []
    return values[index % (values.length + 1)] ?? randomUUID()
  }

  #add(name: string, id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return
    const values = this.#byName.get(name) ?? []
    if (!values.includes(id)) this.#byName.set(name, [id, ...values].slice(0, KEPT))
  }
}
