import { Socket } from 'node:net'

type Written = (error?: Error | null) => void

/**
 * A socket that sends everything written in one turn of the event loop at once: a system call costs more than most
 * statements.
 */
export class GatheringSocket extends Socket {
  #isGathering = false

  override cork(): void {
    this.#gather()
    super.cork()
  }

  override write(chunk: Uint8Array | string, encoding?: BufferEncoding | Written, written?: Written): boolean {
    this.#gather()
    if (typeof encoding === 'string') return super.write(chunk, encoding, written)
    return super.write(chunk, encoding ?? written)
  }

  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    super.cork()
    process.nextTick(() => {
      this.#isGathering = false
      this.uncork()
    })
  }
}
