import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type { Context } from '../../context.ts'
import { saveCursor } from '../../features/authorizations/connect.ts'
import { keepBytes, storeInbound } from '../../features/inbound/store-event.ts'
import type { Line } from '../../platform/outbound/lines.ts'
import { openImap } from './client.ts'
import { type FolderCursor, goOnFrom, type MailboxCursor, startOf } from './cursor.ts'
import { type Mailbox, settingsOf } from './mailbox.ts'

/** What lies beyond is cut off: the mail is told of, and is whole in the mailbox. */
const LARGEST_MAIL = 40_000_000
const LOOKED_MS = 60_000
/** A server that says nothing for so long, while it is asked, is asked over another line. */
const STUCK_MS = 3 * 60_000
/** Says in the mailbox that a mail was taken in. */
const TAKEN = '$ParleyTaken'

/** Takes in what is new in a mailbox, then each mail as it arrives. Settles once everything before now was stored. */
export async function watchMailbox(context: Context, mailbox: Mailbox, signal: AbortSignal): Promise<Line> {
  const client = await openImap(context, mailbox.credentials)
  const closed = Promise.withResolvers<void>()
  client.on('close', () => closed.resolve())
  const close = async () => client.close()
  signal.addEventListener('abort', () => void close(), { once: true })
  const reader = new MailboxReader(context, mailbox, client)
  try {
    await reader.read()
  } catch (error) {
    await close()
    throw error
  }
  const read = () =>
    void reader.read().catch((error) => {
      context.log.info({ err: error, authorization_id: mailbox.id }, 'A mailbox could not be read')
      client.close()
    })
  client.on('exists', read)
  // Sent mails, and servers without IDLE.
  const timer = setInterval(() => (reader.isStuck() ? client.close() : read()), LOOKED_MS).unref()
  void closed.promise.then(() => clearInterval(timer))
  return { closed: closed.promise, close }
}

/** Reads both folders of one mailbox over one connection, one time after the other. */
class MailboxReader {
  readonly #context: Context
  readonly #mailbox: Mailbox
  readonly #client: ImapFlow
  #cursor: MailboxCursor | undefined
  #reading: Promise<void> = Promise.resolve()
  /** Since when it waits for the server, while it reads. */
  #waitsSince: number | undefined
  #waiting: Promise<void> | undefined

  constructor(context: Context, mailbox: Mailbox, client: ImapFlow) {
    this.#context = context
    this.#mailbox = mailbox
    this.#client = client
    this.#cursor = (mailbox.cursor as unknown as MailboxCursor | null) ?? undefined
  }

  /** Takes in what is new. Asked while it reads, it reads once more, and only once. */
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
    const { folder, sent_folder, watches_sent } = settingsOf(this.#mailbox)
    this.#cursor ??= await startOf(this.#client, { folder, sent_folder, since_days: 0 })
    const { sent } = this.#cursor
    if (sent_folder && watches_sent && sent && (await this.#hasNew(sent_folder, sent))) {
      await this.#readFolder(sent_folder, 'sent', sent)
    }
    await this.#readFolder(folder, 'inbox', this.#cursor.inbox)
    // Until the next command the server tells by itself what is new.
    void this.#client.idle().catch(() => undefined)
  }

  async #hasNew(folder: string, { uidvalidity, uid }: FolderCursor): Promise<boolean> {
    const status = await this.#client.status(folder, { uidNext: true, uidValidity: true }).catch(() => false as const)
    return !!status && (String(status.uidValidity) !== uidvalidity || (status.uidNext ?? 0) > uid + 1)
  }

  async #readFolder(folder: string, which: keyof MailboxCursor, before: FolderCursor): Promise<void> {
    if (!this.#client.mailbox || this.#client.mailbox.path !== folder) await this.#client.mailboxOpen(folder)
    else await this.#client.noop()
    let cursor = await goOnFrom(this.#client, before)
    for (const uid of await this.#listNew(cursor)) {
      const next = { ...cursor, uid }
      await this.#take(folder, which, next)
      cursor = next
      this.#waitsSince = Date.now()
      this.#cursor = { ...this.#cursor!, [which]: cursor }
    }
  }

  /** `5:*` also answers with the last mail when there is none after the fourth. */
  async #listNew({ uid }: FolderCursor): Promise<number[]> {
    const found = await this.#client.search({ uid: `${uid + 1}:*` }, { uid: true })
    return (Array.isArray(found) ? found : []).filter((one) => one > uid).sort((a, b) => a - b)
  }

  /** Its bytes first, then its event together with the place in the folder: what died in between is taken again. */
  async #take(folder: string, which: keyof MailboxCursor, cursor: FolderCursor): Promise<void> {
    const { account_id, id, address } = this.#mailbox
    const mail = await this.#client.fetchOne(
      String(cursor.uid),
      { source: { maxLength: LARGEST_MAIL }, headers: ['references', 'in-reply-to', 'message-id'] },
      { uid: true },
    )
    // Somebody may have deleted it meanwhile.
    const file_key = mail ? await this.#keep(mail) : undefined
    await this.#context.change(async (open) => {
      if (mail && file_key) {
        await storeInbound(this.#context, open, {
          account_id,
          integration: 'mailbox',
          authorization_id: id,
          key: `${id} ${folder} ${cursor.uidvalidity}:${cursor.uid}`,
          queue: `${id} ${threadOf(mail)}`,
          payload: { recipients: [address], sent: which === 'sent' },
          file_key,
        })
      }
      await saveCursor(open, account_id, id, { ...this.#cursor!, [which]: cursor } as unknown as Record<
        string,
        unknown
      >)
    })
    if (which === 'inbox') await this.#mark(cursor.uid)
  }

  async #keep({ source }: FetchMessageObject): Promise<string | undefined> {
    return source && keepBytes(this.#context, this.#mailbox.account_id, source)
  }

  /** Some mailboxes keep no words of others. */
  async #mark(uid: number): Promise<void> {
    const flags = settingsOf(this.#mailbox).marks_read ? [TAKEN, '\\Seen'] : [TAKEN]
    await this.#client.messageFlagsAdd(String(uid), flags, { uid: true }).catch(() => undefined)
  }
}

/** The first mail of those that one answers, so that mails of one thread stay in their order. */
function threadOf({ headers, uid }: FetchMessageObject): string {
  const ids = headers?.toString('latin1').match(/<[^<>\s]{1,250}>/g)
  return ids?.[0] ?? String(uid)
}
