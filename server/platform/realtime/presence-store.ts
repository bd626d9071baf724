import type { PresenceDiff, PresenceEntry } from './presence-entries.ts'
import type { TopicKey } from './topic-key.ts'

/** Where nodes leave what they know for those that come later, and a sign of life. */
export interface PresenceStore {
  /** Writes what changed here; `isLast` when this node has nothing more on the topic. Never throws. */
  write(topic: TopicKey, change: PresenceDiff, isLast: boolean): void
  /** The entries of the other nodes that are alive. */
  load(topic: TopicKey): Promise<PresenceEntry[]>
  /** Gives a sign of life. `lapsed` when it came too late and this node counted as dead. */
  beat(): Promise<{ alive: Set<string>; lapsed: boolean }>
  /** Puts these in the place of everything this node had; answers the topics where it had something. */
  rewrite(entries: PresenceEntry[]): Promise<TopicKey[]>
  /** This node goes, orderly. */
  leave(): Promise<void>
}
