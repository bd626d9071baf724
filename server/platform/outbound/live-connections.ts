import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/change.ts'
import type { Log } from '../log.ts'
import { newId } from '../secrets.ts'
import type { ConnectionTiming } from './connection-timing.ts'
import { acquireLease, releaseLease } from './leases.ts'

/** An open long-lived connection. */
export interface LiveConnection {
  /** Resolves when it ends; rejects if the reason is known. */
  closed: Promise<void>
  close(): Promise<void>
}

/** A long-lived connection that one server should hold. */
export interface WantedConnection {
  /** The same on all servers: `mailbox 3f2b…`. */
  name: string
  /** When it changes, the connection is reopened, because its settings changed. */
  revision: string
  /** Opens it. A rejection is followed by another try. */
  open(signal: AbortSignal): Promise<LiveConnection>
  /** Called when it was opened, and again once it has held for some time. */
  onWorking?(): Promise<void>
  /**
   * Called when it ended or could not be opened. `isDown`: it stays closed for a while. Otherwise it is reopened within
   * seconds.
   */
  onInterruption?(error: unknown, isDown: boolean): Promise<void>
}

const RECONCILE_MS = 10_000
/** A connection that does not close in time is abandoned: what it still delivers is stored once. */
const CLOSED_MS = 5_000
/** A connection that is reopened sooner is not reported as down. */
const SHORT_MS = 10_000

interface Options {
  db: Db
  log: Log
  timing: ConnectionTiming
  wanted: () => Promise<WantedConnection[]>
}

interface HeldConnection {
  revision: string
  abort: AbortController
  done: Promise<void>
}

/**
 * Holds long-lived connections: each on one server, by a lease that is renewed. A server that cannot renew a lease
 * closes the connection, and another one opens it. Two may hold it for a moment, which does no harm: repeated events
 * are stored once.
 */
export class LiveConnections {
  readonly #db: Db
  readonly #log: Log
  readonly #timing: ConnectionTiming
  readonly #wanted: () => Promise<WantedConnection[]>
  readonly #holder = newId()
  readonly #held = new Map<string, HeldConnection>()
  #timer: NodeJS.Timeout | undefined
  #reconciling: Promise<void> | undefined
  #isStopped = false

  constructor({ db, log, timing, wanted }: Options) {
    this.#db = db
    this.#log = log
    this.#timing = timing
    this.#wanted = wanted
  }

  /** Opens missing connections and closes unwanted ones. After the first call this happens regularly. */
  async reconcile(): Promise<void> {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    this.#reconciling = (this.#reconciling ?? Promise.resolve()).then(() => this.#openAndClose())
    await this.#reconciling
    clearTimeout(this.#timer)
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.reconcile(), RECONCILE_MS).unref()
  }

  /** Closes everything, and releases the leases. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#reconciling
    await Promise.all([...this.#held.keys()].map((name) => this.#drop(name)))
  }

  async #openAndClose(): Promise<void> {
    try {
      const wanted = await this.#wanted()
      const revisions = new Map(wanted.map(({ name, revision }) => [name, revision]))
      for (const [name, { revision }] of this.#held) if (revisions.get(name) !== revision) await this.#drop(name)
      for (const connection of wanted) {
        if (this.#isStopped) return
        const isOurs = await acquireLease(this.#db, connection.name, this.#holder)
        if (isOurs && !this.#held.has(connection.name)) this.#hold(connection)
        if (!isOurs) await this.#drop(connection.name)
      }
    } catch (error) {
      // Leases cannot be renewed, so all connections are closed: another server takes them once the leases have
      // expired.
      this.#log.warn({ err: error }, 'Live connections are closed, because their leases could not be renewed')
      await Promise.all([...this.#held.keys()].map((name) => this.#drop(name)))
    }
  }

  #hold(connection: WantedConnection): void {
    const abort = new AbortController()
    const done = this.#keepOpen(connection, abort.signal)
    this.#held.set(connection.name, { revision: connection.revision, abort, done })
  }

  async #drop(name: string): Promise<void> {
    const held = this.#held.get(name)
    if (!held) return
    this.#held.delete(name)
    held.abort.abort()
    await Promise.race([held.done, sleep(CLOSED_MS, undefined, { ref: false })])
    await releaseLease(this.#db, name, this.#holder).catch(() => undefined)
  }

  async #keepOpen(connection: WantedConnection, signal: AbortSignal): Promise<void> {
    const { firstWait, longestWait, holds } = this.#timing
    let wait = firstWait
    while (!signal.aborted) {
      const started = Date.now()
      const { error, wasOpen } = await this.#openOnce(connection, signal)
      if (signal.aborted) return
      if (Date.now() - started > holds) wait = firstWait
      this.#log.info({ err: error, connection: connection.name }, 'A live connection failed')
      await this.#tell(connection.onInterruption?.(error, !wasOpen || wait > SHORT_MS))
      await sleep(wait * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined)
      wait = Math.min(wait * 2, longestWait)
    }
  }

  /** Opens the connection and waits for its end. */
  async #openOnce(connection: WantedConnection, signal: AbortSignal): Promise<{ error: unknown; wasOpen: boolean }> {
    let wasOpen = false
    let held: NodeJS.Timeout | undefined
    try {
      const open = await connection.open(signal)
      // Its end is waited for below; without this, an end before that would be an unhandled rejection.
      open.closed.catch(() => undefined)
      const close = () => void open.close().catch(() => undefined)
      signal.addEventListener('abort', close, { once: true })
      if (signal.aborted) close()
      wasOpen = true
      await this.#tell(connection.onWorking?.())
      held = setTimeout(() => void this.#tell(connection.onWorking?.()), this.#timing.holds + 1).unref()
      await open.closed.finally(() => signal.removeEventListener('abort', close))
      return { error: new Error('The connection ended.'), wasOpen }
    } catch (error) {
      return { error, wasOpen }
    } finally {
      clearTimeout(held)
    }
  }

  /** A state that cannot be recorded does not end a connection. */
  async #tell(recorded: Promise<void> | undefined): Promise<void> {
    await recorded?.catch((err) => this.#log.warn({ err }, 'The state of a live connection could not be recorded'))
  }
}
