import { RAW_LIMIT } from '../../features/conversation-mails/parse.ts'
import { networkOf } from '../../platform/limits/network.ts'

/** Most mails are far smaller. Of larger ones only so many are held in memory at a time. */
const LARGE_BYTES = 1_000_000
const MOST_LARGE = 2
/** A mail that takes longer gives its place to others; its sender tries again. */
const LONGEST_MS = 5 * 60_000
/** One mail server must not take all lines; Postfix opens 20 to one destination. */
const MOST_CLIENTS_OF_NETWORK = 25

/** What came of reading a mail: its bytes, or why it was not kept. */
export type ReadMail = { raw: Buffer } | { refused: 'too large' | 'busy' }

/**
 * What mail servers may make this process hold: with 50 clients, 50 MB of small mails and two large ones, whatever they send
 * and however slowly.
 */
export class HeldMails {
  #large = 0
  readonly #clients = new Map<string, number>()

  /** Whether one more client of this address may come; `leave` when it goes. */
  enter(address: string): boolean {
    const network = networkOf(address)
    const count = this.#clients.get(network) ?? 0
    if (count >= MOST_CLIENTS_OF_NETWORK) return false
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
   * Reads a mail to its end, also one that is not kept, because its sender is told of it only then; and does `work` with it before the
   * memory counts as free again.
   */
  async read<Result>(stream: AsyncIterable<Buffer>, work: (mail: ReadMail) => Promise<Result>): Promise<Result> {
    const place = { isTaken: false }
    try {
      return await work(await this.#readAll(stream, place))
    } finally {
      this.#release(place)
    }
  }

  async #readAll(stream: AsyncIterable<Buffer>, place: { isTaken: boolean }): Promise<ReadMail> {
    const until = Date.now() + LONGEST_MS
    const pieces: Buffer[] = []
    let bytes = 0
    let refused: 'too large' | 'busy' | undefined
    for await (const piece of stream) {
      bytes += piece.length
      if (bytes > LARGE_BYTES && !refused && !place.isTaken && !this.#take(place)) refused = 'busy'
      if (Date.now() > until) refused ??= 'busy'
      if (bytes > RAW_LIMIT) refused = 'too large'
      if (!refused) {
        pieces.push(piece)
        continue
      }
      pieces.length = 0
      this.#release(place)
    }
    return refused ? { refused } : { raw: Buffer.concat(pieces) }
  }

  #take(place: { isTaken: boolean }): boolean {
    if (this.#large >= MOST_LARGE) return false
    this.#large++
    place.isTaken = true
    return true
  }

  #release(place: { isTaken: boolean }): void {
    if (!place.isTaken) return
    this.#large--
    place.isTaken = false
  }
}
