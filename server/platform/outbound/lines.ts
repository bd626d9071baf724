import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/change.ts'
import type { Log } from '../log.ts'
import { newId } from '../secrets.ts'
import { giveLeaseBack, takeLease } from './leases.ts'

/** A long-lived connection that is open. */
export interface Line {
  /** Settles when it ends, whatever the reason. */
  closed: Promise<void>
  close(): Promise<void>
}

/** A long-lived connection that one server should hold. */
export interface WantedLine {
  /** The same on all servers: `mailbox 3f2b…`. */
  name: string
  /** Changes when it must be opened anew, because its settings changed. */
  revision: string
  /** Opens it. A rejection is followed by another try. */
  open(signal: AbortSignal): Promise<Line>
  /** Told when it cannot be opened, or broke. */
  onTrouble?(error: unknown): Promise<void>
}

const LOOK_MS = 10_000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
/** One that does not close is left behind: what it still brings is stored once. */
const CLOSED_MS = 5_000
/** A line that stood for so long begins with short waits again. */
const STOOD_MS = 60_000

interface Held {
  revision: string
  abort: AbortController
  done: Promise<void>
}

/**
 * Holds long-lived connections: each by one of all servers, by a lease that is renewed. A server that cannot renew it drops
 * the line, and another one opens it. For a moment two may hold it, which does no harm: what comes in twice is stored once.
 */
export class LineKeeper {
  readonly #db: Db
  readonly #log: Log
  readonly #wanted: () => Promise<WantedLine[]>
  readonly #holder = newId()
  readonly #held = new Map<string, Held>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isStopped = false

  constructor({ db, log, wanted }: { db: Db; log: Log; wanted: () => Promise<WantedLine[]> }) {
    this.#db = db
    this.#log = log
    this.#wanted = wanted
  }

  /** Looks now for what is to be held and what no longer. It looks by itself from then on. */
  async look(): Promise<void> {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    this.#looking = (this.#looking ?? Promise.resolve()).then(() => this.#settle())
    await this.#looking
    clearTimeout(this.#timer)
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.look(), LOOK_MS).unref()
  }

  /** Closes everything, and lets other servers have it. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#looking
    await Promise.all([...this.#held.keys()].map((name) => this.#drop(name)))
  }

  async #settle(): Promise<void> {
    try {
      const wanted = await this.#wanted()
      const revisions = new Map(wanted.map(({ name, revision }) => [name, revision]))
      for (const [name, { revision }] of this.#held) if (revisions.get(name) !== revision) await this.#drop(name)
      for (const line of wanted) {
        if (this.#isStopped) return
        const isOurs = await takeLease(this.#db, line.name, this.#holder)
        if (isOurs && !this.#held.has(line.name)) this.#hold(line)
        if (!isOurs) await this.#drop(line.name)
      }
    } catch (error) {
      // Nothing can be renewed, so everything is let go: another server takes it once the leases have ended.
      this.#log.warn({ err: error }, 'Connections to other systems are let go, because they cannot be looked after')
      await Promise.all([...this.#held.keys()].map((name) => this.#drop(name)))
    }
  }

  #hold(line: WantedLine): void {
    const abort = new AbortController()
    this.#held.set(line.name, { revision: line.revision, abort, done: this.#keepOpen(line, abort.signal) })
  }

  async #drop(name: string): Promise<void> {
    const held = this.#held.get(name)
    if (!held) return
    this.#held.delete(name)
    held.abort.abort()
    await Promise.race([held.done, sleep(CLOSED_MS, undefined, { ref: false })])
    await giveLeaseBack(this.#db, name, this.#holder).catch(() => undefined)
  }

  async #keepOpen(line: WantedLine, signal: AbortSignal): Promise<void> {
    let wait = FIRST_WAIT_MS
    while (!signal.aborted) {
      const begun = Date.now()
      await this.#openOnce(line, signal).catch(async (error) => {
        if (signal.aborted) return
        this.#log.info({ err: error, line: line.name }, 'A connection to another system broke')
        await line.onTrouble?.(error).catch((err) => this.#log.warn({ err }, 'Trouble could not be noted'))
      })
      if (Date.now() - begun > STOOD_MS) wait = FIRST_WAIT_MS
      await sleep(wait * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined)
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
  }

  async #openOnce(line: WantedLine, signal: AbortSignal): Promise<void> {
    const open = await line.open(signal)
    const close = () => void open.close().catch(() => undefined)
    signal.addEventListener('abort', close, { once: true })
    if (signal.aborted) close()
    try {
      await open.closed
    } finally {
      signal.removeEventListener('abort', close)
    }
  }
}
