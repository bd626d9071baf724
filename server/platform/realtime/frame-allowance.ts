import { refill, secondsUntil } from '../limits/limits.ts'
import type { RealtimeSettings } from './settings.ts'

const FREE_HEARTBEAT_MS = 1_000

/** How much one socket may still send: a token bucket without promises, and a count of refused frames. */
export class FrameAllowance {
  #tokens: number
  #refilledAt: number
  #heartbeatAt = Number.NEGATIVE_INFINITY
  #refused = 0

  constructor({ frames }: RealtimeSettings, now: number) {
    this.#tokens = frames.capacity
    this.#refilledAt = now
  }

  /** True when the frame may pass. */
  consume(characters: number, { frames, charactersPerToken }: RealtimeSettings, now: number): boolean {
    this.#tokens = refill(this.#tokens, now - this.#refilledAt, frames)
    this.#refilledAt = now
    const cost = Math.min(frames.capacity, 1 + Math.floor(characters / charactersPerToken))
    if (this.#tokens < cost) return false
    this.#tokens -= cost
    return true
  }

  /** Heartbeats are free at the rate that any client needs. */
  passesAsHeartbeat(now: number): boolean {
    if (now - this.#heartbeatAt < FREE_HEARTBEAT_MS) return false
    this.#heartbeatAt = now
    return true
  }

  /** Counts a refused frame; true when it exceeds the limit. */
  countRefused({ abusiveAfter }: RealtimeSettings): boolean {
    return ++this.#refused > abusiveAfter
  }

  forgive() {
    this.#refused >>= 1
  }

  secondsToWait({ frames }: RealtimeSettings): number {
    return secondsUntil(1 - this.#tokens, frames)
  }
}
