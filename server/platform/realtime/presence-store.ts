import type { PresenceDiff, PresenceEntry } from './presence-entries.ts'
import type { TopicKey } from './topic-key.ts'

/** Where nodes store their entries for nodes that start later, and their heartbeats. */
export interface PresenceStore {
  /** Writes what changed here; `isLast` when this node has nothing more on the topic. Never throws. */
  write(topic: TopicKey, change: PresenceDiff, isLast: boolean): void
  /** The entries of the other nodes that are alive. */
  load(topic: TopicKey): Promise<PresenceEntry[]>
  /** Sends a heartbeat. `lapsed` when it came too late and this node counted as dead. */
  beat(): Promise<{ alive: Set<string>; lapsed: boolean }>
  /** Replaces everything this node had; returns the topics on which it had entries. */
  rewrite(entries: PresenceEntry[]): Promise<TopicKey[]>
  /** Removes this node, in an orderly shutdown. */
  leave(): Promise<void>
}
