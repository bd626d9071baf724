import type { PresenceDiff, PresenceEntry } from './presence-entries.ts'

/**
 * Who is on one topic, as far as this node knows. Every update returns what it actually changed, so that news received
 * twice, or from several nodes, is sent to clients once.
 */
export class TopicPresence {
  /** What is known of other nodes: nothing yet; loaded, but messages may have been missed since; all. */
  knows: 'nothing' | 'stale' | 'all' = 'nothing'
  loading: Promise<void> | null = null
  /** How many entries belong to this node. */
  own = 0
  readonly #entries = new Map<string, PresenceEntry>()
  /** Entries received while those of other nodes are loading: newer than the loaded ones. */
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

  /** Replaces all entries of a node. */
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

  /** Applies the loaded entries of other nodes, except where something newer was received meanwhile. */
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
