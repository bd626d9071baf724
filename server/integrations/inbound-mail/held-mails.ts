import { RAW_LIMIT } from '../../features/mail/conversation-mails/mime/limits.ts'
import { networkOf } from '../../platform/limits/network.ts'

/** Most mails are far smaller. Only a few larger ones are held in memory at a time. */
const LARGE_BYTES = 1_000_000
const MAX_LARGE_MAILS = 2
/** A mail that takes longer is interrupted; its sender tries again. */
const READ_TIMEOUT_MS = 5 * 60_000
/** One mail server must not use all connections; Postfix opens 20 to one destination. */
const MAX_CLIENTS_PER_NETWORK = 25

/** The result of reading a mail: its bytes, or why they were not kept. */
export type ReadMail = { raw: Buffer } | { refused: 'too large' | 'busy' }

/**
 * Limits the memory used by mails being received: with 50 clients, 50 MB of small mails and two large ones, whatever
 * they send and however slowly.
 */
export class HeldMails {
  #large = 0
  readonly #clients = new Map<string, number>()

  /** Whether one more client of this address may connect; call `leave` when it disconnects. */
  enter(address: string): boolean {
    const network = networkOf(address)
    const count = this.#clients.get(network) ?? 0
    if (count >= MAX_CLIENTS_PER_NETWORK) return false
    this.#clients.set(network, count + 1)
    return true
  }

  leave(address: string): void {
    const network = networkOf(address)
    const count = this.#clients.get(network) ?? 0
    if (count > 1) this.#clients.set(network, count - 1)
    else this.#clients.delete(network)
  }

  /**
   * Reads a mail to its end, even one that is not kept, because only then can its sender get an answer; then runs
   * `work` before the memory counts as free again.
   */
  async read<Result>(stream: AsyncIterable<Buffer>, work: (mail: ReadMail) => Promise<Result>): Promise<Result> {
    const slot = { isTaken: false }
    try {
      return await work(await this.#readAll(stream, slot))
    } finally {
      this.#release(slot)
    }
  }

  async #readAll(stream: AsyncIterable<Buffer>, slot: { isTaken: boolean }): Promise<ReadMail> {
    const until = Date.now() + READ_TIMEOUT_MS
    const pieces: Buffer[] = []
    let bytes = 0
    let refused: 'too large' | 'busy' | undefined
    for await (const piece of stream) {
      bytes += piece.length
      if (bytes > LARGE_BYTES && !refused && !slot.isTaken && !this.#take(slot)) refused = 'busy'
      if (Date.now() > until) refused ??= 'busy'
      if (bytes > RAW_LIMIT) refused = 'too large'
      if (!refused) {
        pieces.push(piece)
        continue
      }
      pieces.length = 0
      this.#release(slot)
    }
    return refused ? { refused } : { raw: Buffer.concat(pieces) }
  }

  #take(slot: { isTaken: boolean }): boolean {
    if (this.#large >= MAX_LARGE_MAILS) return false
    this.#large++
    slot.isTaken = true
    return true
  }

  #release(slot: { isTaken: boolean }): void {
    if (!slot.isTaken) return
    this.#large--
    slot.isTaken = false
  }
}
