import { record } from '@rrweb/record'
import { BLOCKED, hide, WRITABLE } from './masking.ts'

// rrweb also records frames of the same origin, but applies masking and blocking only within each frame. This applies
// what the page says about the frame element and its ancestors.

interface Serialized {
  id: number
  type: number
  textContent?: string
  childNodes?: Serialized[]
}

interface OfNode {
  id: number
}

/** The parts of an rrweb change that are read here. */
export interface Change {
  isAttachIframe?: boolean
  adds?: { node: Serialized }[]
  texts?: (OfNode & { value: string | null })[]
  attributes?: OfNode[]
  positions?: OfNode[]
  id?: number
}

const TEXT = 3

type Visibility = 'shown' | 'masked' | 'hidden'

/**
 * Whether a document is shown, masked or hidden. Hidden if its frame is gone, because that can no longer be checked.
 */
function visibilityOf(node: Node | null): Visibility {
  let visibility: Visibility = 'shown'
  let current = documentOf(node)
  while (current !== document) {
    const frame = current?.defaultView?.frameElement
    if (!frame || findAround(frame, BLOCKED)) return 'hidden'
    if (current?.designMode === 'on' || findAround(frame, WRITABLE)) visibility = 'masked'
    current = frame.ownerDocument
  }
  return visibility
}

function documentOf(node: Node | null): Document | null {
  return node?.nodeType === Node.DOCUMENT_NODE ? (node as Document) : (node?.ownerDocument ?? null)
}

/** Like `closest`, but also crosses shadow roots. */
function findAround(element: Element, selector: string): Element | null {
  const closest = element.closest(selector)
  const { host } = element.getRootNode() as Partial<ShadowRoot>
  return closest ?? (host ? findAround(host, selector) : null)
}

const nodeOf = (id: number) => record.mirror.getNode(id)

/** The document that this change attaches to a frame. */
export function attachedDocument({ isAttachIframe, adds }: Change): Document | null {
  return isAttachIframe && adds?.[0] ? documentOf(nodeOf(adds[0].node.id)) : null
}

/** Removes from a change, in place, what its frame hides. Returns whether anything is left. */
export function guardFrames(change: Change): boolean {
  const { adds, texts, attributes, positions, id } = change
  const isShown = (item: OfNode) => visibilityOf(nodeOf(item.id)) !== 'hidden'
  if (positions) change.positions = positions.filter(({ id }) => !nodeOf(id) || isShown({ id }))
  if (adds) change.adds = adds.filter(({ node }) => isShown(node))
  if (texts) change.texts = texts.filter(isShown)
  if (attributes) change.attributes = attributes.filter(isShown)
  for (const { node } of change.adds ?? []) if (visibilityOf(nodeOf(node.id)) === 'masked') hideWords(node)
  for (const text of change.texts ?? []) {
    if (text.value && visibilityOf(nodeOf(text.id)) === 'masked') text.value = hide(text.value)
  }
  if (change.isAttachIframe) return !!change.adds?.length
  if (positions) return !!change.positions?.length
  return id === undefined || !nodeOf(id) || isShown({ id })
}

function hideWords(root: Serialized) {
  const stack = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.childNodes) stack.push(...node.childNodes)
    const isStyle = nodeOf(node.id)?.parentNode?.nodeName === 'STYLE'
    if (node.type === TEXT && node.textContent && !isStyle) node.textContent = hide(node.textContent)
  }
}
