import { FRAME } from './frame-element.ts'
import type { ReplayEvent } from './protocol.ts'

// The frame's policy already forbids loading and running anything. This removes what has an effect without that:
// navigation, empty frames, and event handlers.

/** Elements without a place in a replay. Frames keep their place. */
const EMPTY = /^(script|noscript|meta|base|object|embed|applet|portal|param|source|track|template)$/i
const FRAMES = /^(frame|frameset|fencedframe)$/i
const HANDLER = /^on|^(srcdoc|http-equiv|ping|formaction|action|manifest|background)$/i
/** Schemes of addresses to remove, compared without spaces and control characters. */
const ACTIVE = /^(javascript|vbscript|data:(?!image\/|font\/)|blob|filesystem)/i

const DOCUMENT = 0

/** More elements than usable pages have. */
const MAX_NODES = 200_000

export class TooLarge extends Error {}

/** Makes an event harmless, in place. Throws TooLarge. */
export function defuse(event: ReplayEvent): ReplayEvent {
  let nodes = 0
  const stack: unknown[] = [event.data]
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    if (typeof part !== 'object' || part === null) continue
    if ('tagName' in part && ++nodes > MAX_NODES) throw new TooLarge()
    defuseElement(part as Record<string, unknown>)
    for (const value of Object.values(part)) if (typeof value === 'object' && value) stack.push(value)
  }
  return event
}

function defuseElement(part: Record<string, unknown>) {
  if (typeof part.tagName === 'string') {
    if (EMPTY.test(part.tagName)) Object.assign(part, { tagName: 'noscript', childNodes: [], attributes: {} })
    if (FRAMES.test(part.tagName)) Object.assign(part, { tagName: 'div', childNodes: [] })
    if (/^iframe$/i.test(part.tagName))
      Object.assign(part, { tagName: FRAME, childNodes: documentsIn(part.childNodes) })
    // Custom elements have no behavior here.
    delete part.isCustom
  }
  if (typeof part.attributes === 'object' && part.attributes && !Array.isArray(part.attributes)) {
    defuseAttributes(part.attributes as Record<string, unknown>)
  }
}

/** Other children of a frame are fallback content for browsers without frames. */
function documentsIn(children: unknown): unknown[] {
  return Array.isArray(children) ? children.filter((child) => child?.type === DOCUMENT) : []
}

function defuseAttributes(attributes: Record<string, unknown>) {
  for (const [name, value] of Object.entries(attributes)) {
    const isActive = typeof value === 'string' && ACTIVE.test([...value].filter((char) => char > ' ').join(''))
    if (HANDLER.test(name) || (isActive && !name.startsWith('rr_'))) delete attributes[name]
  }
}
