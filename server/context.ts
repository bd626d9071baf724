import type { FastifyBaseLogger } from 'fastify'
import type { Backlog } from './backlog.ts'
import type { Config } from './config.ts'
import type { CustomerData } from './customer-data.ts'
import type { Integration } from './integration.ts'
import type { Metric } from './metric.ts'
import type { Keyring } from './platform/crypto/keyring.ts'
import type { Db, MakeChange } from './platform/db/change.ts'
import type { ConnectionConfig, PoolCounts } from './platform/db/connection.ts'
import type { GroupedChange } from './platform/db/group-commit.ts'
import type { Searches } from './platform/db/searches.ts'
import type { FileStore } from './platform/files/file-store.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import type { Limits } from './platform/limits/limits.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { ConnectionTiming } from './platform/outbound/connection-timing.ts'
import type { Outbound } from './platform/outbound/outbound.ts'
import type { Realtime } from './platform/realtime/realtime.ts'
import type { Sandbox } from './platform/sandbox/sandbox.ts'
import type { Workers } from './platform/workers/workers.ts'

/** What every feature is given. Created once by `start`. */
export interface Context {
  config: Config
  /** Version of this program, such as `0.1.0`. */
  version: string
  /** Where the database is, for processes that connect by themselves. */
  database: ConnectionConfig
  /** For reading. Every query names its account. */
  db: Db
  /** For writing. */
  change: MakeChange
  /** For frequent concurrent writes, such as posting: see `createGroupedChange`. */
  groupedChange: GroupedChange
  files: FileStore
  /** Processes that work on foreign input: mails, templates, archives, lists. */
  workers: Workers
  /** The process that decodes pictures. */
  pictures: Workers
  jobs: Jobs
  /** Encryption at rest. */
  keys: Keyring
  limits: Limits
  mailer: Mailer
  /** Requests to addresses entered by users. */
  outbound: Outbound
  /** Runs code of an account in a separate process. */
  sandbox: Sandbox
  /** Slow reading queries, on connections of their own. */
  searches: Searches
  /**
   * For counting backlogs, on a connection of its own so that posting never waits for it; cancelled after two seconds.
   */
  countingDb: Db
  realtime: Realtime
  eventLog: EventLog
  /** How all features handle customer data. */
  customerData: CustomerData[]
  /** Backlogs of all features. */
  backlogs: Backlog[]
  /** Additional metrics of all features. */
  metrics: Metric[]
  /** How busy the database connections are, by name of the pool. */
  pools(): Record<string, PoolCounts>
  /** All integrations enabled on this server, by name. */
  integrations: ReadonlyMap<string, Integration>
  /**
   * Long-lived connections to other systems. `reconcile` applies changes at once, for calls that connect or disconnect
   * one; otherwise they are noticed within seconds. Does nothing where integrations are switched off.
   */
  liveConnections: { reconcile(): Promise<void> }
  /** Time limits of long-lived connections, polls, and answers that arrive piece by piece. */
  timing: ConnectionTiming
  /** The folder with the built files for browsers. */
  dist: string
  isBusHealthy(): boolean
  /** Why the bus does not work, as a sentence for the operator; undefined if it does. */
  busProblem(): string | undefined
  /** Shutting down: proxies should send no new requests. */
  isStopping(): boolean
  /** Whether the disk of the database or of the data folder is full. */
  isStorageFull(): Promise<boolean>
  /** The names of migrations that the database still lacks. */
  migrations(): Promise<{ pending: string[] }>
  log: FastifyBaseLogger
}

/** The state of the event log on this server. */
export interface EventLog {
  /** A cursor before which all events were sent to this server's sockets, once it is known. */
  cursor(): string | undefined
  /** The names of all consumers. */
  consumers(): string[]
  /** Consumers that repeatedly fail on this server: since when (ISO 8601) and how often. */
  failing(): { name: string; failures: number; since: string }[]
  /** Number of events found in the log that had not been broadcast to this server's sockets. */
  late(): number
}

/** Something of which a feature has one instance per server, created on first use. */
export function perServer<Thing>(make: (context: Context) => Thing): (context: Context) => Thing {
  const made = new WeakMap<Context, Thing>()
  return (context) => {
    const thing = made.get(context) ?? make(context)
    made.set(context, thing)
    return thing
  }
}
