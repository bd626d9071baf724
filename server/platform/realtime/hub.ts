import type { Log } from '../log.ts'
import type { Connection } from './connection.ts'
import type { Presence } from './presence.ts'
import type { RealtimeSettings } from './settings.ts'
import type { Match } from './topic-patterns.ts'
import type { Topics } from './topics.ts'

/** What all connections of a node share. */
export interface Hub {
  readonly settings: RealtimeSettings
  readonly log: Log
  readonly topics: Topics
  readonly presence: Presence
  readonly counts: { malformed: number; rateLimited: number; tooSlow: number }
  /** How often rights have changed so far. */
  accessChanges(): number
  /** Shutting down: incoming frames are no longer read. */
  isDraining(): boolean
  match(topic: string): Match | undefined
  /** A connection has ended. */
  removeConnection(connection: Connection): void
}
