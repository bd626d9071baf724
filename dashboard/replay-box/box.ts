import { Replayer } from '@rrweb/replay'
import { defuse } from './defuse.ts'
import { defineFrame, setForeignWords } from './frame-element.ts'
import { createFrames } from './frames.ts'
import { createPageFiles } from './page-files.ts'
import { createPointer } from './pointer.ts'
import type { FromBox, ReplayEvent, ToBox } from './protocol.ts'
import { createStage, keepDocument, withStage } from './stage.ts'

// Runs in a sandboxed frame without an origin, whose policy forbids loading anything. All data from a visitor's tab is
// rendered only here.

type PlayerEvent = Parameters<Replayer['addEvent']>[0]

const META = 4
const FULL = 2
const INCREMENTAL = 3
/** Canvas events call methods by name. Our recorder does not record them. */
const CANVAS = 9
/** Events arrive in batches, so playback is delayed by this much. */
const DELAY_MS = 300

const send = (message: FromBox) => parent.postMessage(message, '*')

keepDocument()
defineFrame()
const stage = createStage()
const pointer = createPointer()
const files = createPageFiles((addresses) => send({ say: 'wanted', addresses }))
const frames = createFrames((id) => {
  const frame = replayer?.getMirror().getNode(id)
  if (!(frame instanceof Element)) return undefined
  const { x, y } = frame.getBoundingClientRect()
  return { x: x + frame.clientLeft, y: y + frame.clientTop }
})
let replayer: Replayer | undefined
let isLive = true
/** An event could not be applied: a new replayer starts with the next page. */
let isBroken = false

function start(events: ReplayEvent[], liveMode: boolean): Replayer {
  replayer?.destroy()
  const options = {
    root: pointer.root,
    liveMode,
    mouseTail: false,
    useVirtualDom: false,
    triggerFocus: false,
    showWarning: false,
    pauseAnimation: false,
    // Otherwise the replayer asks for a frame type that does not work here. The option allows scripts, but the policy
    // of this frame still forbids them. Canvas events are dropped below.
    UNSAFE_replayCanvas: true,
  } as const
  replayer = withStage(stage, () => new Replayer(events as PlayerEvent[], options))
  replayer.on('resize', (size) => send({ say: 'size', ...(size as { width: number; height: number }) }))
  replayer.on('fullsnapshot-rebuilded', () => {
    pointer.lay()
    send({ say: 'drawn' })
  })
  replayer.on('finish', () => send({ say: 'finished' }))
  return replayer
}

function show(events: ReplayEvent[]) {
  for (const event of events) {
    if (isBroken && event.type === META) {
      replayer?.destroy()
      replayer = undefined
      isBroken = false
    }
    // Changes before the first page cannot be applied.
    if (!replayer && event.type !== META) continue
    if (!replayer) start([], true).startLive(event.timestamp - DELAY_MS)
    replayer?.addEvent(event as PlayerEvent)
  }
}

const listeners: { [Say in ToBox['say']]: (message: Extract<ToBox, { say: Say }>) => void } = {
  events({ events }) {
    if (isLive) show(clean(events))
  },
  past({ events }) {
    const past = clean(events)
    if (past.length < 2 || !past.some(({ type }) => type === FULL)) return
    isLive = false
    start(past, false).play()
  },
  live() {
    if (isLive) return
    isLive = true
    replayer?.destroy()
    replayer = undefined
  },
  file: (file) => files.receive(file),
  words: ({ foreign }) => setForeignWords(foreign),
}

/** Whether it is a well-formed event; a full snapshot needs a root. */
function isReadable({ type, timestamp, data }: ReplayEvent): boolean {
  if (!Number.isInteger(type) || !Number.isFinite(timestamp) || typeof data !== 'object' || !data) return false
  const { childNodes } = Object(data.node) as { childNodes?: { tagName?: string }[] }
  return type !== FULL || !!childNodes?.some(({ tagName }) => tagName === 'html')
}

function clean(events: ReplayEvent[]): ReplayEvent[] {
  return events.flatMap((event) => {
    try {
      if (!isReadable(event)) throw new Error('No event.')
      if (event.type === INCREMENTAL && event.data.source === CANVAS) return []
      return frames.place(defuse(event)).map(files.embed)
    } catch {
      send({ say: 'fault' })
      return []
    }
  })
}

function reportFault() {
  isBroken = true
  send({ say: 'fault' })
}

addEventListener('message', ({ source, data }: MessageEvent<ToBox>) => {
  if (source !== parent) return
  try {
    listeners[data.say](data as never)
  } catch {
    send({ say: 'fault' })
  }
})
// Events may contradict each other; later ones are still shown.
addEventListener('unhandledrejection', reportFault)
addEventListener('error', reportFault)
send({ say: 'ready' })
