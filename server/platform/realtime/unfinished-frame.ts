import type { Duplex } from 'node:stream'

/** What one socket has received of a frame that has begun and not ended. */
export class UnfinishedFrame {
  readonly #stream: Duplex & { bytesRead?: number }
  /** What the stream had received when the last frame ended. */
  #bytesBefore: number
  /** Bytes at the last measurement. */
  bytes = 0
  /** When a measurement first found it. */
  since = 0

  constructor(stream: Duplex) {
    this.#stream = stream
    this.#bytesBefore = this.#received
  }

  get #received(): number {
    return this.#stream.bytesRead ?? 0
  }

  onFrame(): void {
    this.#bytesBefore = this.#received
    this.since = 0
  }

  measure(): void {
    this.bytes = this.#received - this.#bytesBefore
    if (this.bytes === 0) this.since = 0
    else this.since ||= performance.now()
  }
}
