import { randomUUID } from 'node:crypto'
import type { Bus, Receive } from './bus.ts'

/** The bus of a single server. */
export class MemoryBus implements Bus {
  readonly node = randomUUID()
  #receive: Receive | undefined

  async publish(topic: string, message: string): Promise<boolean> {
    this.#receive?.(topic, message)
    return true
  }

  async publishToOthers(): Promise<boolean> {
    return true
  }

  async subscribe() {}

  unsubscribe() {}

  onMessage(receive: Receive) {
    this.#receive = receive
  }

  onLate() {}

  onGap() {}

  isHealthy(): boolean {
    return true
  }

  problem(): undefined {
    return undefined
  }
}
