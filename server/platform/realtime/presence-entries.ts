import type { TopicKey } from './topic-key.ts'

/** The data of one presence; `phx_ref` is unique, an updated meta names its predecessor. */
export type Meta = Record<string, unknown> & { phx_ref: string; phx_ref_prev?: string }

/** One key on one topic, present through one channel of one node. */
export interface PresenceEntry {
  topic: TopicKey
  node: string
  key: string
  meta: Meta
}

/** Owns presence entries, which end when it closes. */
export interface PresenceOwner {
  readonly isOpen: boolean
  /** Kept by `Presence`. */
  tracked: PresenceEntry[] | null
}

/** The presence of a topic as clients read it: metas by key, one per connection. */
export type PresenceState = Record<string, { metas: Meta[] }>

/** Who joined and who left. */
export interface PresenceDiff {
  joins: PresenceEntry[]
  leaves: PresenceEntry[]
}

/** Entries as clients of Phoenix read them: by key, each with its metas. */
export function toState(entries: Iterable<PresenceEntry>): PresenceState {
  // Keys are data: one of them may be called "__proto__".
  const state: PresenceState = Object.create(null)
  for (const { key, meta } of entries) {
    const existing = state[key]
    if (existing) existing.metas.push(meta)
    else state[key] = { metas: [meta] }
  }
  return state
}

/** Between nodes: either a change, or all entries of a node on a topic. */
type PresenceMessage =
  | { node: string; joins: [string, Meta][]; leaves: [string, Meta][] }
  | { node: string; all: [string, Meta][] }

/** The message to the other nodes about joins and leaves here; JSON, read by `readMessage`. */
export function writeChange(node: string, { joins, leaves }: PresenceDiff): string {
  const message: PresenceMessage = { node, joins: joins.map(toPair), leaves: leaves.map(toPair) }
  return JSON.stringify(message)
}

/** The message with all entries of this node on a topic, for a node that may have missed something. */
export function writeAll(node: string, entries: PresenceEntry[]): string {
  const message: PresenceMessage = { node, all: entries.map(toPair) }
  return JSON.stringify(message)
}

/**
 * Parses a message of another node. With `all`, entries that it lacks no longer exist. @throws SyntaxError if it is not
 * JSON
 */
export function readMessage(topic: TopicKey, text: string): { node: string; all?: PresenceEntry[] } & PresenceDiff {
  const message: PresenceMessage = JSON.parse(text)
  const { node } = message
  const toEntry = ([key, meta]: [string, Meta]): PresenceEntry => ({ topic, node, key, meta })
  if ('all' in message) return { node, all: message.all.map(toEntry), joins: [], leaves: [] }
  return { node, joins: message.joins.map(toEntry), leaves: message.leaves.map(toEntry) }
}

function toPair({ key, meta }: PresenceEntry): [string, Meta] {
  return [key, meta]
}
