import { FOREIGN, FRAME } from './frame-element.ts'
import { renameFrames, scopeToFrame } from './frame-styles.ts'
import type { ReplayEvent } from './protocol.ts'

// Frames do not work in this sandbox. So a frame's page becomes the shadow tree of an element that replaces the frame.
// Events of the page's document are applied to that element, or to the page's `html` if they scroll.

interface Node {
  id: number
  type: number
  rootId?: number
  tagName?: string
  attributes?: Fields
  childNodes?: Node[]
  textContent?: string
  isStyle?: boolean
  isShadow?: boolean
}
interface Add {
  parentId: number
  nextId: number | null
  node: Node
}
interface Removal {
  parentId: number
  id: number
  isShadow?: boolean
}
type Fields = Record<string, unknown>

const [FULL, INCREMENTAL] = [2, 3]
const [DOCUMENT, DOCTYPE, ELEMENT, TEXT] = [0, 1, 2, 3]
const [MUTATION, SCROLL, STYLE_RULE, ADOPTED] = [0, 3, 8, 15]

/** The position of a frame in the window. */
type Origin = (frame: number) => { x: number; y: number } | undefined

/** Keeps track of a page's frames. */
export function createFrames(originOf: Origin) {
  /** By the id of each frame's document. */
  const pages = new Map<number, { frame: number; html: number | undefined }>()
  const frames = new Set<number>()
  /** The document of each node in a frame. */
  const owners = new Map<number, number>()
  /** Style elements and their text nodes. */
  const styles = new Set<number>()
  /** Documents that arrived before their frame. */
  const early = new Map<number, Node>()

  function register(node: Node, owner: number | undefined): void {
    if (node.tagName === FRAME) frames.add(node.id)
    if (node.tagName === 'style') styles.add(node.id)
    if (owner === undefined) owners.delete(node.id)
    else owners.set(node.id, owner)
    if (owner !== undefined) delete node.rootId
    const { attributes } = node
    if (node.tagName === FRAME && attributes) markForeign(attributes)
    if (attributes) translateStyles(attributes, owner)
  }

  function translateStyles(attributes: Fields, owner: number | undefined): void {
    const { _cssText, style } = attributes
    if (typeof _cssText === 'string') attributes._cssText = translate(_cssText, owner)
    if (typeof style === 'string' && owner !== undefined) attributes.style = scopeToFrame(style)
  }

  const translate = (css: string, owner: number | undefined) =>
    owner === undefined ? renameFrames(css) : scopeToFrame(css)

  function registerText(node: Node, parent: number): void {
    if (node.type !== TEXT || typeof node.textContent !== 'string') return
    if (!node.isStyle && !styles.has(parent)) return
    styles.add(node.id)
    node.textContent = translate(node.textContent, owners.get(parent))
  }

  /** Processes a full tree, including the pages in its frames. */
  function placeTree(root: Node): void {
    const stack: [node: Node, owner: number | undefined][] = [[root, undefined]]
    for (let next = stack.pop(); next; next = stack.pop()) {
      const [node, owner] = next
      register(node, owner)
      const page = node.tagName === FRAME ? node.childNodes?.find(({ type }) => type === DOCUMENT) : undefined
      if (node.tagName === FRAME) node.childNodes = page ? enter(page, node.id) : []
      for (const child of node.childNodes ?? []) {
        registerText(child, node.id)
        stack.push([child, page?.id ?? owner])
      }
    }
  }

  /** Registers the document of a frame. Returns the children to render in the frame. */
  function enter(page: Node, frame: number): Node[] {
    for (const [id, before] of pages) if (before.frame === frame) pages.delete(id)
    const elements = (page.childNodes ?? []).filter(({ type }) => type === ELEMENT)
    pages.set(page.id, { frame, html: elements[0]?.id })
    for (const element of elements) element.isShadow = true
    return elements
  }

  /** Adds a page to a frame, node by node, because added nodes must not have children. */
  function attach(page: Node, frame: number): { removes: Removal[]; adds: Add[]; scroll: Fields[] } {
    const before = [...pages.values()].find((entry) => entry.frame === frame)?.html
    const removes = before === undefined ? [] : [{ parentId: frame, id: before, isShadow: true }]
    const adds: Add[] = []
    const stack = enter(page, frame).map((node) => ({ parentId: frame, node }))
    const scroll = stack.flatMap(({ node: { id, attributes = {} } }) =>
      attributes.rr_scrollTop || attributes.rr_scrollLeft
        ? [{ source: SCROLL, id, x: attributes.rr_scrollLeft ?? 0, y: attributes.rr_scrollTop ?? 0 }]
        : [],
    )
    stack.reverse()
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { node, parentId } = next
      const children = node.childNodes ?? []
      register(node, page.id)
      adds.push({ parentId, nextId: null, node })
      for (const child of children) registerText(child, node.id)
      for (const child of [...children].reverse()) stack.push({ parentId: node.id, node: child })
      // The replayer sets a style's text from its children, so they are kept.
      if (node.tagName !== 'style') node.childNodes = []
    }
    return { removes, adds, scroll }
  }

  function placeMutation(event: ReplayEvent): ReplayEvent[] {
    const {
      adds = [],
      removes = [],
      texts = [],
      attributes = [],
      ...rest
    } = event.data as {
      adds?: Add[]
      removes?: Removal[]
      texts?: { id: number; value: unknown }[]
      attributes?: { id: number; attributes: Fields }[]
    }
    const placed: { adds: Add[]; removes: Removal[] } = { adds: [], removes: removes.map(placeRemoval) }
    const scrolled: Fields[] = []
    function addPage(page: Node, frame: number) {
      const { scroll, ...change } = attach(page, frame)
      placed.adds.push(...change.adds)
      placed.removes.push(...change.removes)
      scrolled.push(...scroll)
    }
    for (const add of adds) {
      const { node, parentId } = add
      if (node.type === DOCUMENT) {
        if (frames.has(parentId)) addPage(node, parentId)
        else early.set(parentId, node)
        continue
      }
      const page = pages.get(parentId)
      if (page && node.type === DOCTYPE) continue
      const owner = page ? parentId : (owners.get(parentId) ?? (pages.has(node.rootId ?? -1) ? node.rootId : undefined))
      register(node, owner)
      registerText(node, parentId)
      if (page) Object.assign(page, { html: node.id })
      placed.adds.push(page ? { parentId: page.frame, nextId: null, node: { ...node, isShadow: true } } : add)
      const waiting = early.get(node.id)
      if (waiting && frames.has(node.id)) addPage(waiting, node.id)
      early.delete(node.id)
    }
    for (const { parentId } of placed.adds) {
      if (frames.has(parentId)) attributes.push({ id: parentId, attributes: { [FOREIGN]: null } })
    }
    for (const { id, attributes: changed } of attributes) {
      if (frames.has(id)) markForeign(changed)
      translateStyles(changed, owners.get(id))
    }
    for (const text of texts) {
      if (styles.has(text.id)) text.value = translate(String(text.value), owners.get(text.id))
    }
    const moved = { ...event, data: { ...rest, ...placed, texts, attributes } }
    return [moved, ...scrolled.map((data) => ({ ...event, data }))]
  }

  function placeRemoval(removal: Removal): Removal {
    const page = pages.get(removal.parentId)
    if (!page) return removal
    if (page.html === removal.id) page.html = undefined
    return { parentId: page.frame, id: removal.id, isShadow: true }
  }

  function placeRules(rules: unknown, owner: number | undefined): void {
    for (const rule of Array.isArray(rules) ? rules : []) {
      if (typeof rule?.rule === 'string') rule.rule = translate(rule.rule, owner)
    }
  }

  /** Coordinates in a frame are relative to its corner, whose position is only known when they are used. */
  function placePosition(position: Fields): void {
    const page = pages.get(owners.get(position.id as number) ?? (position.id as number))
    if (!page) return
    for (const side of ['x', 'y'] as const) {
      const within = Number(position[side])
      Object.defineProperty(position, side, { get: () => within + (originOf(page.frame)?.[side] ?? 0) })
    }
  }

  /** Translates an event for this document. Changes it in place. */
  function place(event: ReplayEvent): ReplayEvent[] {
    const { type, data } = event
    if (type === FULL) {
      for (const collection of [pages, frames, owners, styles, early]) collection.clear()
      placeTree(data.node as Node)
    }
    if (type !== INCREMENTAL) return [event]
    if (data.source === MUTATION) return placeMutation(event)
    const id = data.id as number
    const page = pages.get(id)
    const owner = page ? id : owners.get(id)
    if (data.source === STYLE_RULE) placeRules(data.adds, owner)
    for (const style of Array.isArray(data.styles) ? data.styles : []) placeRules(style?.rules, owner)
    if (page && data.source === SCROLL) data.id = page.html
    if (page && data.source === ADOPTED) data.id = page.frame
    for (const position of Array.isArray(data.positions) ? data.positions : []) placePosition(position)
    if (typeof data.x === 'number' && data.source !== SCROLL) placePosition(data)
    return [event]
  }

  return { place }
}

/** The recorder only sends a frame's address if it shows another website. */
function markForeign(attributes: Fields): void {
  if (typeof attributes.rr_src === 'string') attributes[FOREIGN] = ''
  delete attributes.rr_src
  delete attributes.src
}
