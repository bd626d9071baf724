import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type { Context } from '../../context.ts'
import { RetryLater } from '../../integration.ts'
import type { LiveConnection } from '../../platform/outbound/live-connections.ts'
import { withinTime } from '../../platform/within-time.ts'
import { type FolderCursor, type MailboxCursor, resumeFrom, startOf } from './cursor.ts'
import type { MailboxSettings } from './mailbox.ts'

/** Larger mails are truncated: they are imported in part, and are complete in the mailbox. */
const LARGEST_MAIL = 40_000_000
/** If a server does not answer a command for this long, the connection is replaced. */
const STUCK_MS = 3 * 60_000
const SILENT = 'The mail server did not answer any more.'
/** Keyword that marks imported mails in the mailbox. */
const TAKEN = '$ParleyTaken'

/** A mail's position in a mailbox. */
export interface MailPosition {
  kind: keyof MailboxCursor
  folder: string
  uidvalidity: string
  uid: number
}

/** A mailbox whose mails are imported. */
export interface WatchedMailbox extends MailboxSettings {
  /** How far it was read; undefined for a new one. */
  cursor: MailboxCursor | undefined
  /**
   * Stores a mail and the new position; without a mail, because it was deleted meanwhile, only the position.
   * Returns whether the mail was for us.
   */
  storeMail(mail: FetchMessageObject | undefined, position: MailPosition, cursor: MailboxCursor): Promise<boolean>
}

/**
 * Imports new mails of a mailbox, then each mail as it arrives, over an open connection. Resolves once all mails up to
 * now were stored.
 */
export async function watch(
  client: ImapFlow,
  mailbox: WatchedMailbox,
  signal: AbortSignal,
  { log, timing }: Pick<Context, 'log' | 'timing'>,
): Promise<LiveConnection> {
  const closed = Promise.withResolvers<void>()
  closed.promise.catch(() => undefined)
  let reason = 'The mail server closed the connection.'
  client.on('close', () => closed.reject(new RetryLater(reason)))
  const close = async () => client.close()
  signal.addEventListener('abort', () => void close(), { once: true })
  const reader = new MailboxReader(client, mailbox, timing.answer)
  const giveUp = (sentence: string) => {
    reason = sentence
    client.close()
  }
  const read = () =>
    void reader.read().catch((error) => {
      log.info({ err: error }, 'A mailbox could not be read')
      giveUp(error instanceof RetryLater ? error.message : 'The mailbox could not be read.')
    })
  // Before the first read: a mail that arrives during it would otherwise wait for the next look.
  client.on('exists', read)
  // For sent mails, for servers without IDLE, and to notice that a connection is lost.
  const timer = setInterval(() => (reader.isStuck() ? giveUp(SILENT) : read()), timing.ping).unref()
  client.on('close', () => clearInterval(timer))
  try {
    await reader.read()
  } catch (error) {
    await close()
    throw error
  }
  return { closed: closed.promise, close }
}

/** Reads the folders of one mailbox over one connection, one pass after the other. */
class MailboxReader {
  readonly #client: ImapFlow
  readonly #mailbox: WatchedMailbox
  /** Longest time for a sign of life, in milliseconds. */
  readonly #answer: number
  #cursor: MailboxCursor | undefined
  #reading: Promise<void> = Promise.resolve()
  /** Since when a read has been waiting for the server. */
  #waitsSince: number | undefined
  #waiting: Promise<void> | undefined

  constructor(client: ImapFlow, mailbox: WatchedMailbox, answer: number) {
    this.#client = client
    this.#mailbox = mailbox
    this.#answer = answer
    this.#cursor = mailbox.cursor
  }

  /** Imports new mails. Calls during a read cause one more read, and only one. */
  read(): Promise<void> {
    this.#waiting ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#waiting = undefined
        this.#waitsSince = Date.now()
        this.#reading = this.#readBoth().finally(() => {
          this.#waitsSince = undefined
        })
        return this.#reading
      })
    return this.#waiting
  }

  isStuck(): boolean {
    return this.#waitsSince !== undefined && Date.now() - this.#waitsSince > STUCK_MS
  }

  async #readBoth(): Promise<void> {
    await this.#askForLife()
    const { folder, sent_folder, watches_sent } = this.#mailbox
    this.#cursor ??= await startOf(this.#client, { folder, sent_folder, since_days: 0 })
    const { sent } = this.#cursor
    if (sent_folder && watches_sent && sent && (await this.#hasNew(sent_folder, sent))) {
      await this.#readFolder(sent_folder, 'sent', sent)
    }
    await this.#readFolder(folder, 'inbox', this.#cursor.inbox)
    // In IDLE the server reports new mails by itself until the next command.
    void this.#client.idle().catch(() => undefined)
  }

  /** @throws Later if the server does not answer, as over a connection that was lost without notice */
  async #askForLife(): Promise<void> {
    await withinTime(this.#answer, this.#client.noop(), SILENT).catch(() => {
      throw new RetryLater(SILENT)
    })
  }

  async #hasNew(folder: string, { uidvalidity, uid }: FolderCursor): Promise<boolean> {
    const status = await this.#client.status(folder, { uidNext: true, uidValidity: true }).catch(() => false as const)
    return !!status && (String(status.uidValidity) !== uidvalidity || (status.uidNext ?? 0) > uid + 1)
  }

  async #readFolder(folder: string, kind: keyof MailboxCursor, before: FolderCursor): Promise<void> {
    if (!this.#client.mailbox || this.#client.mailbox.path !== folder) await this.#openFolder(folder)
    const { uidvalidity, uid: last } = await resumeFrom(this.#client, before)
    for (const uid of await this.#listNew(last)) {
      const mail = await this.#fetch(uid)
      const cursor = { ...this.#cursor!, [kind]: { uidvalidity, uid } }
      const isOurs = await this.#mailbox.storeMail(mail, { kind, folder, uidvalidity, uid }, cursor)
      this.#cursor = cursor
      this.#waitsSince = Date.now()
      if (isOurs && kind === 'inbox') await this.#mark(uid)
    }
  }

  /** @throws Later if it was deleted or renamed */
  async #openFolder(folder: string): Promise<void> {
    await this.#client.mailboxOpen(folder).catch((error: { responseStatus?: string }) => {
      if (!/^(NO|BAD)$/.test(error.responseStatus ?? '')) throw error
      throw new RetryLater(`The mailbox has no folder named ${folder} any more. Choose another one.`)
    })
  }

  /** `5:*` also returns the last mail if there is none after the fourth. */
  async #listNew(last: number): Promise<number[]> {
    const uids = await this.#client.search({ uid: `${last + 1}:*` }, { uid: true })
    return (Array.isArray(uids) ? uids : []).filter((uid) => uid > last).sort((a, b) => a - b)
  }

  async #fetch(uid: number): Promise<FetchMessageObject | undefined> {
    const mail = await this.#client.fetchOne(
      String(uid),
      { source: { maxLength: LARGEST_MAIL }, headers: ['references', 'in-reply-to', 'message-id'] },
      { uid: true },
    )
    return mail || undefined
  }

  /** Some mailboxes do not support custom keywords. */
  async #mark(uid: number): Promise<void> {
    const flags = this.#mailbox.marks_read ? [TAKEN, '\\Seen'] : [TAKEN]
    await this.#client.messageFlagsAdd(String(uid), flags, { uid: true }).catch(() => undefined)
  }
}
