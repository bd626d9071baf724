import type { PresenceDiff, PresenceEntry } from './presence-entries.ts'

/**
 * Who this node believes is on one topic. Every change answers with what it really changed, so that hearing a thing
 * twice, or from several sides, is told to clients once.
 */
export class TopicPresence {
  /** Of other nodes: not read yet; read, but messages may have been missed since; all. */
  knows: 'nothing' | 'stale' | 'all' = 'nothing'
  loading: Promise<void> | null = null
  /** How many entries are of this node. */
  own = 0
  readonly #entries = new Map<string, PresenceEntry>()
  /** What was received while the entries of other nodes are on their way: newer than what will arrive. */
  #received: Set<string> | null = null

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  entries(): IteratorObject<PresenceEntry> {
    return this.#entries.values()
  }

  of(node: string): PresenceEntry[] {
    return [...this.entries().filter((entry) => entry.node === node)]
  }

  apply({ joins, leaves }: PresenceDiff): PresenceDiff {
    const changed: PresenceDiff = { joins: [], leaves: [] }
    for (const entry of joins) {
      this.#received?.add(entry.meta.phx_ref)
      if (this.#entries.has(entry.meta.phx_ref)) continue
      this.#entries.set(entry.meta.phx_ref, entry)
      changed.joins.push(entry)
    }
    for (const { meta } of leaves) {
      this.#received?.add(meta.phx_ref)
      const entry = this.#entries.get(meta.phx_ref)
      if (!entry) continue
      this.#entries.delete(meta.phx_ref)
      changed.leaves.push(entry)
    }
    return changed
  }

  /** Puts `entries` in the place of everything a node had. */
  replaceNode(node: string, entries: PresenceEntry[]): PresenceDiff {
    this.#received?.add(node)
    return this.#replace(entries, (entry) => entry.node === node)
  }

  beginLoading() {
    this.#received = new Set()
  }

  abandonLoading() {
    this.#received = null
  }

  /** Takes in what was read of other nodes, except where something newer was received meanwhile. */
  finishLoading(entries: PresenceEntry[], own: string): PresenceDiff {
    const received = this.#received ?? new Set()
    this.#received = null
    const isOld = ({ node, meta }: PresenceEntry) => !received.has(meta.phx_ref) && !received.has(node)
    return this.#replace(entries.filter(isOld), (entry) => entry.node !== own && isOld(entry))
  }

  #replace(entries: PresenceEntry[], isConcerned: (entry: PresenceEntry) => boolean): PresenceDiff {
    const refs = new Set(entries.map(({ meta }) => meta.phx_ref))
    const leaves = [...this.#entries.values()].filter((entry) => isConcerned(entry) && !refs.has(entry.meta.phx_ref))
    return this.apply({ joins: entries, leaves })
  }
}
