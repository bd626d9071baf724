import { record } from '@rrweb/record'
import type { Recording, RecordingOptions } from '../types.ts'
import { BLOCKED, maskInput, maskText, noteSecret, scrub, WRITABLE } from './masking.ts'
import { createOutbox } from './outbox.ts'
import { showSign } from './sign.ts'

type RecordOptions = NonNullable<Parameters<typeof record>[0]>

/** As much of an event as is read here. */
interface Emitted {
  type: number
  data: { href?: string }
}

/** Of the last minute there are two halves, of which the older begins with a picture of the whole page. */
const HALF_MS = 30_000
/** Characters that the last minute may take in the visitor's memory. */
const MOST_KEPT = 10_000_000
const META = 4
const CUSTOM = 5

/** Every kind of field: by the name of its element, because types come and go. */
const EVERY_FIELD = { input: true, textarea: true, select: true } as RecordOptions['maskInputOptions']

/** Records while somebody watches; with `keepsLastMinute` all the time, for the visitor's own memory. */
export function startRecording(options: RecordingOptions, keepsLastMinute: boolean): Recording {
  const outbox = createOutbox(options, snapshot)
  const kept = createMemory()
  let stop: (() => void) | undefined
  let hideSign: (() => void) | undefined
  let watchers = 0
  let wasHidden = false

  /** Whether the page is one of those that nobody is to see; who watches is told so. */
  function isHidden(): boolean {
    const isOnList = options.blocklist.some((part) => location.pathname.includes(part))
    if (isOnList !== wasHidden) {
      wasHidden = isOnList
      if (isOnList) kept.clear()
      if (watchers) outbox.add(note('parley:hidden', isOnList))
      if (!isOnList) queueMicrotask(snapshot)
    }
    return isOnList
  }

  function emit(event: Emitted, isCheckout?: boolean) {
    if (isHidden()) return
    if (event.type === META) event.data.href = event.data.href?.replace(/[?#].*/, '')
    const json = JSON.stringify(scrub(event))
    if (keepsLastMinute) kept.add(json, !!isCheckout && event.type === META)
    if (watchers && !outbox.add(json)) outbox.add(note('parley:too-large', true))
  }

  function begin() {
    if (stop) return
    for (const field of document.querySelectorAll('input,textarea')) noteSecret(field)
    document.addEventListener('input', listen, true)
    const end = record<Emitted>({
      emit,
      ...(keepsLastMinute && { checkoutEveryNms: HALF_MS }),
      blockSelector: BLOCKED,
      maskInputOptions: EVERY_FIELD,
      maskInputFn: maskInput,
      maskTextSelector: WRITABLE,
      maskTextFn: maskText,
      slimDOMOptions: 'all',
      sampling: { mousemoveCallback: 200, scroll: 100 },
      // What breaks in here breaks nothing of the page.
      errorHandler: () => true,
    })
    stop = () => {
      end?.()
      document.removeEventListener('input', listen, true)
      stop = undefined
    }
  }

  function snapshot() {
    if (stop && watchers) record.takeFullSnapshot()
  }

  function watch(count: number, isNew: boolean) {
    watchers = count
    const isSeen = count > 0 && options.showsSign
    if (isSeen) hideSign ??= showSign(options.stop)
    else hideSign?.()
    if (!isSeen) hideSign = undefined
    if (count === 0) {
      outbox.clear()
      if (!keepsLastMinute) stop?.()
      return
    }
    if (!isNew) return
    outbox.clear()
    if (keepsLastMinute) outbox.sendPast(kept.all())
    if (isHidden()) outbox.add(note('parley:hidden', true))
    // A new recording begins with a picture of the page by itself.
    if (stop) snapshot()
    else begin()
  }

  if (keepsLastMinute) begin()
  return {
    watch,
    end() {
      watch(0, false)
      stop?.()
      kept.clear()
    },
  }
}

/** Also from within what the page has hidden in a shadow tree. */
function listen(event: Event) {
  noteSecret(event.composedPath()[0] ?? null)
}

/** Something that rrweb does not know of, told in its own form. */
function note(tag: string, payload: unknown): string {
  return JSON.stringify({ type: CUSTOM, data: { tag, payload }, timestamp: Date.now() })
}

/** What happened in the last minute, in this page's memory. */
function createMemory() {
  let halves: string[][] = []
  let size = 0
  return {
    add(json: string, isBeginning: boolean) {
      if (isBeginning || halves.length === 0) halves = [...halves.slice(-1), []]
      halves.at(-1)!.push(json)
      size = isBeginning ? halves.flat().reduce((sum, { length }) => sum + length, 0) : size + json.length
      if (size > MOST_KEPT) this.clear()
    },
    all: () => halves.flat(),
    clear() {
      halves = []
      size = 0
    },
  }
}
