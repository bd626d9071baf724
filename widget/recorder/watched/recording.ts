import { record } from '@rrweb/record'
import type { Recording, RecordingOptions } from '../types.ts'
import { attachedDocument, type Change, guardFrames } from './frames.ts'
import { BLOCKED, maskInput, maskText, rememberSecret, scrub, WRITABLE } from './masking.ts'
import { createOutbox } from './outbox.ts'
import { showSign } from './sign.ts'

type RecordOptions = NonNullable<Parameters<typeof record>[0]>

/** The parts of an rrweb event that are read here. */
interface Emitted {
  type: number
  data: { href?: string } & Change
}

/** The last minute is kept in two halves, each starting with a full snapshot. */
const HALF_MS = 30_000
/** The most characters that the last minute may take in memory. */
const MAX_CHARACTERS = 10_000_000
const META = 4
const INCREMENTAL = 3
const CUSTOM = 5

/** Element names cover every field, whatever its input type. */
const EVERY_FIELD = { input: true, textarea: true, select: true } as RecordOptions['maskInputOptions']

/** Records while somebody watches; with `keepsLastMinute` always, but then in memory only. */
export function startRecording(options: RecordingOptions, keepsLastMinute: boolean): Recording {
  const outbox = createOutbox(options, snapshot)
  const lastMinute = createMemory()
  let stop: (() => void) | undefined
  /** When the next half begins, in epoch milliseconds. */
  let nextHalf = 0
  let isNewHalf = false
  let fields = new AbortController()
  let hideSign: (() => void) | undefined
  let watchers = 0
  let wasHidden = false

  /** Whether the page is on the block list. A change is reported to those who watch. */
  function isHidden(): boolean {
    const isOnList = options.blocklist.some((part) => location.pathname.includes(part))
    if (isOnList !== wasHidden) {
      wasHidden = isOnList
      if (isOnList) lastMinute.clear()
      if (watchers) outbox.add(customEvent('parley:hidden', isOnList))
      if (!isOnList) queueMicrotask(snapshot)
    }
    return isOnList
  }

  function emit(event: Emitted) {
    const { type, data } = event
    if (isHidden()) return
    if (type === META) data.href = data.href?.replace(/[?#].*/, '')
    if (type === INCREMENTAL) {
      const came = attachedDocument(data)
      if (came) watchFields(came)
      if (!guardFrames(data)) return
    }
    const json = JSON.stringify(scrub(event, (id) => record.mirror.getNode(id)))
    if (keepsLastMinute) lastMinute.add(json, isNewHalf && type === META)
    if (watchers && !outbox.add(json)) outbox.add(customEvent('parley:too-large', true))
    if (keepsLastMinute && type === INCREMENTAL && Date.now() > nextHalf) {
      nextHalf = Number.POSITIVE_INFINITY
      queueMicrotask(() => stop && beginHalf())
    }
  }

  function watchFields(root: Document) {
    for (const field of root.querySelectorAll('input,textarea')) rememberSecret(field)
    root.addEventListener('input', listen, { capture: true, signal: fields.signal })
  }

  function beginHalf() {
    isNewHalf = true
    nextHalf = Date.now() + HALF_MS
    begin()
    isNewHalf = false
  }

  /**
   * Starts a new recording, which begins with a full snapshot. Snapshots that rrweb takes itself would make it observe
   * every frame again.
   */
  function begin() {
    stop?.()
    fields = new AbortController()
    watchFields(document)
    let hasEnded = false
    const end = record<Emitted>({
      // rrweb still reports frames that load another page after the recording has ended.
      emit: (event) => hasEnded || emit(event),
      blockSelector: BLOCKED,
      maskInputOptions: EVERY_FIELD,
      maskInputFn: maskInput,
      maskTextSelector: WRITABLE,
      maskTextFn: maskText,
      slimDOMOptions: 'all',
      sampling: { mousemoveCallback: 200, scroll: 100 },
      // Errors in here must not reach the page.
      errorHandler: () => true,
    })
    stop = () => {
      hasEnded = true
      end?.()
      fields.abort()
      stop = undefined
    }
  }

  function snapshot() {
    if (stop && watchers) begin()
  }

  /** The visitor presses Stop. Whoever watches is told, because their page would not come back as after a lost line. */
  function declineRecording() {
    options.push('replay:events', `{"events":[${customEvent('parley:stopped', true)}]}`, () => undefined)
    options.stop()
  }

  function watch(count: number, isNew: boolean) {
    watchers = count
    const isSeen = count > 0 && options.showsSign
    if (isSeen) hideSign ??= showSign(declineRecording)
    else hideSign?.()
    if (!isSeen) hideSign = undefined
    if (count === 0) {
      outbox.clear()
      if (!keepsLastMinute) stop?.()
      return
    }
    if (!isNew) return
    outbox.clear()
    if (keepsLastMinute) outbox.sendPast(lastMinute.all())
    if (isHidden()) outbox.add(customEvent('parley:hidden', true))
    begin()
  }

  if (keepsLastMinute) beginHalf()
  return {
    watch,
    end() {
      watch(0, false)
      stop?.()
      lastMinute.clear()
    },
  }
}

/** The composed path also reaches fields in shadow trees. */
function listen(event: Event) {
  rememberSecret(event.composedPath()[0] ?? null)
}

/** An rrweb custom event. */
function customEvent(tag: string, payload: unknown): string {
  return JSON.stringify({ type: CUSTOM, data: { tag, payload }, timestamp: Date.now() })
}

/** The events of the last minute, in memory. */
function createMemory() {
  let halves: string[][] = []
  let size = 0
  return {
    add(json: string, isBeginning: boolean) {
      if (isBeginning || halves.length === 0) halves = [...halves.slice(-1), []]
      halves.at(-1)!.push(json)
      size = isBeginning ? halves.flat().reduce((sum, { length }) => sum + length, 0) : size + json.length
      if (size > MAX_CHARACTERS) this.clear()
    },
    all: () => halves.flat(),
    clear() {
      halves = []
      size = 0
    },
  }
}
