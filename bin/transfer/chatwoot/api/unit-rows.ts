import { createHash } from 'node:crypto'
import type { SourceRow } from '../../moving-in/row-files.ts'
import type { Json } from './client.ts'
import * as rows from './rows.ts'

/** What a contact or conversation names beside itself. */
export interface Memory {
  labels: string[]
  /** Who wrote in it or has it. */
  people: { id: number; row: SourceRow }[]
}

/** What all of them name, those that an earlier run has read included. */
export class KnownNames {
  readonly #labels = new Set<string>()
  readonly #people = new Map<number, SourceRow>()

  add({ labels, people }: Memory): void {
    for (const name of labels) this.#labels.add(name)
    for (const { id, row } of people) this.#people.set(id, row)
  }

  tagRows(): SourceRow[] {
    return [...this.#labels].map((name) => ({ id: tagNumber(name), name }))
  }

  /** Whoever is no member any more keeps their name beside what they wrote. */
  formerPeople(members: Set<number>): SourceRow[] {
    return [...this.#people].filter(([id]) => !members.has(id)).map(([, row]) => row)
  }
}

/** The rows of a contact or conversation while it is read. */
export class UnitRows {
  readonly rows: [table: string, rows: SourceRow[]][] = []
  readonly memory: Memory = { labels: [], people: [] }

  add(table: string, ...list: SourceRow[]): void {
    this.rows.push([table, list])
  }

  addLabels(taggable_type: string, taggable_id: number, names: Json[]): void {
    for (const name of names) {
      if (typeof name !== 'string') continue
      this.memory.labels.push(name)
      const tag_id = tagNumber(name)
      this.add('taggings', { id: null, tag_id, taggable_type, taggable_id, context: 'labels', created_at: null })
    }
  }

  addContactInbox(contact_id: number, inbox_id: number | undefined, source_id: string | null, hmac_verified: boolean) {
    if (inbox_id) this.add('contact_inboxes', { id: null, contact_id, inbox_id, source_id, hmac_verified })
  }

  addPerson(person: Json): void {
    if (this.memory.people.some(({ id }) => id === person.id)) return
    this.memory.people.push({ id: person.id, row: rows.userRow({ ...person, email: null }) })
  }
}

/** The API does not number the labels of things: a number that each run derives alike. */
function tagNumber(name: string): number {
  return Number.parseInt(createHash('sha256').update(name).digest('hex').slice(0, 12), 16)
}

/** Tells a state of a contact or conversation from others, by what its list shows. */
export function versionOf(item: Json): string {
  return createHash('sha256').update(JSON.stringify(item)).digest('base64url')
}
