import type { FastifyBaseLogger } from 'fastify'
import type { Backlog } from './backlog.ts'
import type { Config } from './config.ts'
import type { CustomerData } from './customer-data.ts'
import type { Integration } from './integration.ts'
import type { Metric } from './metric.ts'
import type { Keyring } from './platform/crypto/keyring.ts'
import type { Db, MakeChange } from './platform/db/change.ts'
import type { PoolCounts } from './platform/db/connection.ts'
import type { GroupedChange } from './platform/db/group-commit.ts'
import type { Searches } from './platform/db/searches.ts'
import type { FileStore } from './platform/files/file-store.ts'
import type { PictureWorker } from './platform/files/picture-worker.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import type { Limits } from './platform/limits/limits.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { Outbound } from './platform/outbound/outbound.ts'
import type { Realtime } from './platform/realtime/realtime.ts'
import type { Sandbox } from './platform/sandbox/sandbox.ts'

/** What every feature is given. Put together once by `start`. */
export interface Context {
  config: Config
  /** Of this program, such as `0.1.0`. */
  version: string
  /** For reading. Every query takes the account. */
  db: Db
  /** For writing. */
  change: MakeChange
  /** For writes that many do at once, such as posting: see `createGroupedChange`. */
  groupedChange: GroupedChange
  files: FileStore
  /** Takes pictures apart, away from this process. */
  pictures: PictureWorker
  jobs: Jobs
  /** Encryption at rest. */
  keys: Keyring
  limits: Limits
  mailer: Mailer
  /** Requests to addresses that somebody entered. */
  outbound: Outbound
  /** Runs code of an account, away from this process. */
  sandbox: Sandbox
  /** Reading that may take a while, on connections of its own. */
  searches: Searches
  /** For counting what waits, on a connection of its own: nobody's posting waits for it, and it is broken off after two seconds. */
  countingDb: Db
  realtime: Realtime
  eventLog: EventLog
  /** What all features keep of customers. */
  customerData: CustomerData[]
  /** Work that waits, of all features. */
  backlogs: Backlog[]
  /** Figures for `/metrics`, of all features. */
  metrics: Metric[]
  /** How busy the connections to the database are, by the name of their pool. */
  pools(): Record<string, PoolCounts>
  /** Everything that can be connected on this server, by name. */
  integrations: ReadonlyMap<string, Integration>
  /**
   * Long-lived connections to other systems. `reconcile` opens and closes at once what has changed, for whoever connected or disconnected
   * one; without it that happens within seconds. Does nothing where integrations are switched off.
   */
  liveConnections: { reconcile(): Promise<void> }
  /** The folder of what browsers are given, as it was built. */
  dist: string
  isBusHealthy(): boolean
  /** Asked to stop: proxies should bring nobody new. */
  isStopping(): boolean
  /** Whether the database, or the data folder, has no room left. */
  isStorageFull(): Promise<boolean>
  /** The names of migrations that the database has not taken yet. */
  migrations(): Promise<{ pending: string[] }>
  log: FastifyBaseLogger
}

/** What is known of the event log on this server. */
export interface EventLog {
  /** A cursor before which everything has been sent to the sockets of this server, once that is known. */
  cursor(): string | undefined
  /** The names of all consumers. */
  consumers(): string[]
  /** Consumers that fail on this server again and again, since when (ISO 8601) and how often. */
  failing(): { name: string; failures: number; since: string }[]
  /** Events that this server found in the log because nobody had broadcast them to its sockets. */
  late(): number
}

/** Something that a feature has once in each server, made when it is first asked for. */
export function perServer<Thing>(make: (context: Context) => Thing): (context: Context) => Thing {
  const made = new WeakMap<Context, Thing>()
  return (context) => {
    const thing = made.get(context) ?? make(context)
    made.set(context, thing)
    return thing
  }
}
