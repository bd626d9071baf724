import { FRAME } from './frame-element.ts'
import type { ReplayEvent } from './protocol.ts'

// The box's policy loads and runs nothing. This takes out what would be something without being loaded or run: a page that
// leads elsewhere, frames in which nothing would stand, handlers that look as if they worked.

/** Elements that are nothing in a picture of a page. A frame keeps its place. */
const EMPTY = /^(script|noscript|meta|base|object|embed|applet|portal|param|source|track|template)$/i
const FRAMES = /^(frame|frameset|fencedframe)$/i
const HANDLER = /^on|^(srcdoc|http-equiv|ping|formaction|action|manifest|background)$/i
/** What an address may begin with, once blanks and control characters are out of the way. */
const ACTIVE = /^(javascript|vbscript|data:(?!image\/|font\/)|blob|filesystem)/i

const DOCUMENT = 0

/** More elements than a page has that people use. */
const MOST_NODES = 200_000

/** The page has more elements than can be shown. */
export class TooLarge extends Error {}

/** Changes an event in place so that nothing in it acts. Throws TooLarge. */
export function defuse(event: ReplayEvent): ReplayEvent {
  let nodes = 0
  const left: unknown[] = [event.data]
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if (typeof part !== 'object' || part === null) continue
    if ('tagName' in part && ++nodes > MOST_NODES) throw new TooLarge()
    defuseElement(part as Record<string, unknown>)
    for (const value of Object.values(part)) if (typeof value === 'object' && value) left.push(value)
  }
  return event
}

function defuseElement(part: Record<string, unknown>) {
  if (typeof part.tagName === 'string') {
    if (EMPTY.test(part.tagName)) Object.assign(part, { tagName: 'noscript', childNodes: [], attributes: {} })
    if (FRAMES.test(part.tagName)) Object.assign(part, { tagName: 'div', childNodes: [] })
    if (/^iframe$/i.test(part.tagName))
      Object.assign(part, { tagName: FRAME, childNodes: documentsIn(part.childNodes) })
    // An element that the page has made itself is one without abilities here.
    delete part.isCustom
  }
  if (typeof part.attributes === 'object' && part.attributes && !Array.isArray(part.attributes)) {
    defuseAttributes(part.attributes as Record<string, unknown>)
  }
}

/** What else is said to stand in a frame is what browsers without frames would show. */
function documentsIn(children: unknown): unknown[] {
  return Array.isArray(children) ? children.filter((child) => child?.type === DOCUMENT) : []
}

function defuseAttributes(attributes: Record<string, unknown>) {
  for (const [name, value] of Object.entries(attributes)) {
    const isActive = typeof value === 'string' && ACTIVE.test([...value].filter((sign) => sign > ' ').join(''))
    if (HANDLER.test(name) || (isActive && !name.startsWith('rr_'))) delete attributes[name]
  }
}
