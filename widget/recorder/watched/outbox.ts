import type { RecordingOptions } from '../types.ts'

/** How long events are collected before they are sent. */
const GATHER_MS = 100
/** Characters per frame, unless a single event is larger. */
const FRAME = 256_000
/** The server refuses larger frames. */
const LARGEST_EVENT = 7_500_000
/** Bytes that the browser may buffer. More events are held here, up to `MAX_HELD` characters. */
const MAX_BUFFERED = 1_000_000
const MAX_HELD = 4_000_000

/**
 * Sends events in batches, no faster than the connection allows. On overflow it drops all of them and asks for a new
 * full snapshot, because a replay with gaps would be wrong.
 */
export function createOutbox({ push, waiting }: Pick<RecordingOptions, 'push' | 'waiting'>, refresh: () => void) {
  let held: string[] = []
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOverflowing = false

  function flush() {
    timer = undefined
    if (waiting() > MAX_BUFFERED) return wait()
    if (isOverflowing) {
      isOverflowing = false
      return refresh()
    }
    const batch: string[] = []
    let length = 0
    while (held.length && (!length || length + held[0]!.length < FRAME)) {
      const next = held.shift()!
      batch.push(next)
      length += next.length
    }
    size -= length
    if (length) push('replay:events', `{"events":[${batch}]}`, refused)
    if (held.length) wait()
  }
  function wait() {
    timer ??= setTimeout(flush, GATHER_MS)
  }
  function refused(seconds: number) {
    clear()
    isOverflowing = true
    clearTimeout(timer)
    timer = setTimeout(flush, seconds * 1000)
  }
  function clear() {
    held = []
    size = 0
  }

  return {
    /** Returns false if the event is too large to be sent. */
    add(json: string): boolean {
      if (json.length > LARGEST_EVENT) return false
      if (isOverflowing) return true
      held.push(json)
      size += json.length
      if (size > MAX_HELD + LARGEST_EVENT) {
        clear()
        isOverflowing = true
      }
      wait()
      return true
    },
    /** Sends the events of the last minute, in order, before any others. */
    sendPast(events: string[]) {
      for (let from = 0; from < events.length; ) {
        let to = from
        let length = 0
        while (to < events.length && (to === from || length + events[to]!.length < FRAME))
          length += events[to++]!.length
        push('replay:events', `{"is_past":true,"events":[${events.slice(from, to)}]}`, () => undefined)
        from = to
      }
    },
    clear() {
      clear()
      isOverflowing = false
      clearTimeout(timer)
      timer = undefined
    },
  }
}
