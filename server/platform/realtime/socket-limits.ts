import type { Caller } from '../caller.ts'
import { networkOf } from '../limits/network.ts'
import type { Connection } from './connection.ts'
import type { RealtimeSettings } from './settings.ts'

/** Counts the open sockets of each network. The team's are counted apart from those of visitors and strangers. */
export class SocketCounts {
  readonly #settings: RealtimeSettings
  readonly #counts = new Map<string, number>()

  constructor(settings: RealtimeSettings) {
    this.#settings = settings
  }

  /** Whether the network of a caller may open no further socket. */
  isFull(caller: Caller): boolean {
    const { maxTeamSocketsPerNetwork, maxVisitorSocketsPerNetwork } = this.#settings
    const limit = caller.kind === 'user' ? maxTeamSocketsPerNetwork : maxVisitorSocketsPerNetwork
    return (this.#counts.get(keyOf(caller)) ?? 0) >= limit
  }

  add(caller: Caller): void {
    const key = keyOf(caller)
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  remove(caller: Caller): void {
    const key = keyOf(caller)
    const count = this.#counts.get(key) ?? 0
    if (count > 1) this.#counts.set(key, count - 1)
    else this.#counts.delete(key)
  }
}

function keyOf(caller: Caller): string {
  return `${caller.kind === 'user' ? 'team' : 'visitors'} ${networkOf(caller.address)}`
}

/**
 * Closes sockets until the frames that have begun and not ended hold at most `maxBytes` in memory, those that began
 * first. An honest frame ends within seconds; many clients that leave theirs unfinished could use up the memory.
 */
export function closeUnfinished(connections: Iterable<Connection>, maxBytes: number): void {
  const unfinished = [...connections].filter((connection) => {
    connection.unfinished.measure()
    return connection.unfinished.bytes > 0
  })
  let bytes = unfinished.reduce((sum, connection) => sum + connection.unfinished.bytes, 0)
  if (bytes <= maxBytes) return
  for (const connection of unfinished.sort((a, b) => a.unfinished.since - b.unfinished.since)) {
    if (bytes <= maxBytes) return
    bytes -= connection.unfinished.bytes
    connection.terminate()
  }
}
