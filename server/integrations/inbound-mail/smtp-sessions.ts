/** Limits of connections of mail servers. */
export interface SessionLimits {
  sessions: number
  /** If all are taken, the one that has been idle for longest is dropped, but only after this time. */
  idleMs: number
  /** Time until a recipient or a mail is accepted, and between two of them. */
  stepMs: number
  /** Time for one mail; its sender tries again. */
  mailMs: number
  /** A mail of which less arrives within this time is dropped. */
  windowMs: number
  bytesPerWindow: number
  totalMs: number
  /** Recipients who do not exist, in one session: nobody guesses addresses here. */
  unknownRecipients: number
}

const MINUTE = 60_000

export const SESSION_LIMITS: SessionLimits = {
  sessions: 50,
  idleMs: 3_000,
  stepMs: 2 * MINUTE,
  mailMs: 5 * MINUTE,
  windowMs: 20_000,
  bytesPerWindow: 10_000,
  totalMs: 30 * MINUTE,
  unknownRecipients: 20,
}

const SWEEP_MS = 1_000

interface Session {
  startedAt: number
  /** When a step was last completed. */
  stepAt: number
  unknownRecipients: number
  /** The mail that is being sent. */
  mail: { startedAt: number; windowAt: number; windowBytes: number } | undefined
  /** A whole mail has arrived and is being stored: the other side waits for us. */
  isOurTurn: boolean
}

/**
 * The open connections of mail servers. Each has limits of time, and none of them keeps others from being heard: a
 * client that only holds its connection is dropped when all are taken.
 */
export class SmtpSessions {
  readonly #sessions = new Map<string, Session>()
  readonly #limits: SessionLimits
  /** Ends a session with an explanation. */
  readonly #drop: (id: string, why: string) => void
  readonly #sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref()

  constructor(limits: SessionLimits, drop: (id: string, why: string) => void) {
    this.#limits = limits
    this.#drop = drop
  }

  close(): void {
    clearInterval(this.#sweeper)
  }

  /** Whether one more session may begin, for which the idlest one is dropped if necessary. */
  begin(id: string): boolean {
    const now = Date.now()
    if (this.#sessions.size >= this.#limits.sessions && !this.#dropIdlest(now)) return false
    this.#sessions.set(id, { startedAt: now, stepAt: now, unknownRecipients: 0, mail: undefined, isOurTurn: false })
    return true
  }

  end(id: string): void {
    this.#sessions.delete(id)
  }

  completeStep(id: string): void {
    const session = this.#sessions.get(id)
    if (session) session.stepAt = Date.now()
  }

  /** Counts a recipient who does not exist; true if there were too many. */
  countUnknown(id: string): boolean {
    const session = this.#sessions.get(id)
    return !!session && ++session.unknownRecipients > this.#limits.unknownRecipients
  }

  /** The same pieces of a mail, while they are counted. */
  async *count(id: string, pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    const session = this.#sessions.get(id)
    const now = Date.now()
    const mail = { startedAt: now, windowAt: now, windowBytes: 0 }
    if (session) session.mail = mail
    for await (const piece of pieces) {
      mail.windowBytes += piece.length
      yield piece
    }
    if (session) Object.assign(session, { mail: undefined, isOurTurn: true })
  }

  /** The mail was answered. */
  endMail(id: string): void {
    const session = this.#sessions.get(id)
    if (session) Object.assign(session, { stepAt: Date.now(), mail: undefined, isOurTurn: false })
  }

  #dropIdlest(now: number): boolean {
    const idle = [...this.#sessions].filter(([, { mail, isOurTurn }]) => !mail && !isOurTurn)
    const [id, session] = idle.toSorted(([, a], [, b]) => a.stepAt - b.stepAt)[0] ?? []
    if (!id || !session || now - session.stepAt < this.#limits.idleMs) return false
    this.#end(id, 'Others are waiting')
    return true
  }

  #sweep(): void {
    const now = Date.now()
    for (const [id, session] of this.#sessions) if (this.#isLate(session, now)) this.#end(id, 'Too slow')
  }

  #isLate({ startedAt, stepAt, mail, isOurTurn }: Session, now: number): boolean {
    const { stepMs, mailMs, totalMs, windowMs, bytesPerWindow } = this.#limits
    if (isOurTurn) return false
    if (!mail) return now - stepAt > stepMs || now - startedAt > totalMs
    if (now - mail.startedAt > mailMs) return true
    if (now - mail.windowAt < windowMs) return false
    const isSlow = mail.windowBytes < bytesPerWindow
    Object.assign(mail, { windowAt: now, windowBytes: 0 })
    return isSlow
  }

  #end(id: string, why: string): void {
    this.#sessions.delete(id)
    this.#drop(id, why)
  }
}
