import { parseUrl } from '#contract/parse-url.ts'
import type { PageFile, ReplayEvent } from './protocol.ts'

// The frame's policy forbids loading files. Images, fonts and style sheets are requested from the parent page, which
// fetches them if the account allows it, and are inserted as data.

/** More files than usable pages have. */
const MAX_FILES = 300
/** The wait before rendered elements are searched again. */
const PAUSE_MS = 200
const DRAWN = { subtree: true, childList: true, attributes: true }
const IN_STYLES = /url\(\s*(['"]?)(https?:[^'")\s]+)\1\s*\)/gi
/** Attributes that name an image. After `defuse`, `src` only remains on images. */
const PICTURES = ['src', 'poster', 'background', 'xlink:href']

type Fields = Record<string, unknown>

/** The files of a page. `request` is called with addresses that are needed for the first time. */
export function createPageFiles(request: (addresses: string[]) => void) {
  const data = new Map<string, string>()
  const styles = new Map<string, string>()
  const requested = new Set<string>()
  let waiting: string[] = []
  let isPatchDue = false
  // Events are rendered with a delay, and their files may have arrived meanwhile.
  const drawing = new MutationObserver(patchSoon)

  function addRequest(address: string): void {
    if (requested.size >= MAX_FILES || requested.has(address) || !/^https?:/i.test(address)) return
    requested.add(address)
    waiting.push(address)
  }

  /** Requests the new addresses. */
  function requestFiles(): void {
    if (waiting.length > 0) request(waiting)
    waiting = []
  }

  function dataOf(address: string): string | undefined {
    const dataUrl = data.get(address)
    if (dataUrl === undefined) addRequest(address)
    return dataUrl
  }

  const intoStyles = (text: string) =>
    text.replace(IN_STYLES, (whole, _quote: string, address: string) => {
      const dataUrl = dataOf(address)
      return dataUrl === undefined ? whole : `url("${dataUrl}")`
    })

  function intoAttributes(attributes: Fields): void {
    detachSources(attributes)
    for (const name of PICTURES) {
      const address = attributes[name]
      if (typeof address === 'string') attributes[name] = dataOf(address) ?? address
    }
    for (const name of ['style', '_cssText']) {
      const text = attributes[name]
      if (typeof text === 'string') attributes[name] = intoStyles(text)
    }
  }

  /** A style sheet whose content the recorder could not read. The replayer creates a style element from `_cssText`. */
  function intoLink(attributes: Fields): void {
    const { rel, href, _cssText } = attributes
    if (typeof href !== 'string' || _cssText !== undefined || !String(rel).includes('stylesheet')) return
    const css = styles.get(href)
    if (css === undefined) addRequest(href)
    else attributes._cssText = intoStyles(css)
  }

  /** Inserts known files into an event, in place, and requests the others. */
  function embed(event: ReplayEvent): ReplayEvent {
    const stack: unknown[] = [event.data]
    for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
      if (typeof part !== 'object' || part === null) continue
      const fields = part as Fields
      const { attributes, tagName, isStyle, textContent, rule } = fields
      if (typeof attributes === 'object' && attributes && !Array.isArray(attributes)) {
        if (tagName === 'link') intoLink(attributes as Fields)
        intoAttributes(attributes as Fields)
      }
      if (isStyle === true && typeof textContent === 'string') fields.textContent = intoStyles(textContent)
      if (typeof rule === 'string') fields.rule = intoStyles(rule)
      for (const value of Object.values(fields)) if (typeof value === 'object' && value) stack.push(value)
    }
    requestFiles()
    return event
  }

  /** Inserts newly arrived files into rendered elements. */
  function patch(): void {
    isPatchDue = false
    for (const root of rootsIn(document)) {
      // Observers do not see changes inside shadow trees.
      drawing.observe(root, DRAWN)
      for (const element of root.querySelectorAll('img,input,video,image,[background]')) patchElement(element)
      for (const element of root.querySelectorAll('[style*="url("]')) {
        patchStyle(element)
      }
      for (const link of root.querySelectorAll('link')) patchLink(link)
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) patchSheet(sheet)
    }
    requestFiles()
  }

  function patchStyle(element: Element): void {
    const text = element.getAttribute('style') ?? ''
    const patched = intoStyles(text)
    if (patched !== text) element.setAttribute('style', patched)
  }

  function patchElement(element: Element): void {
    for (const name of PICTURES) {
      const dataUrl = data.get(element.getAttribute(name) ?? '')
      if (dataUrl !== undefined) element.setAttribute(name, dataUrl)
    }
  }

  function patchLink(link: HTMLLinkElement): void {
    const css = styles.get(link.getAttribute('href') ?? '')
    if (css === undefined) return
    const style = document.createElement('style')
    style.textContent = intoStyles(css)
    link.after(style)
    link.removeAttribute('href')
  }

  function patchSheet(sheet: CSSStyleSheet): void {
    for (const [index, { cssText }] of [...sheet.cssRules].entries()) {
      const text = intoStyles(cssText)
      if (text === cssText) continue
      sheet.deleteRule(index)
      sheet.insertRule(text, index)
    }
  }

  function receive({ address, content, is_style }: PageFile): void {
    if (is_style) styles.set(address, withAbsoluteUrls(content, address))
    else data.set(address, content)
    drawing.observe(document, DRAWN)
    patchSoon()
  }

  function patchSoon(): void {
    if (!isPatchDue) setTimeout(patch, PAUSE_MS)
    isPatchDue = true
  }

  return { embed, receive }
}

/** One of several image sizes is enough: the default one, or the first. */
function detachSources(attributes: Fields): void {
  const { src, srcset } = attributes
  if (typeof srcset !== 'string') return
  if (typeof src !== 'string') attributes.src = srcset.trim().split(/[\s,]+/, 1)[0]
  delete attributes.srcset
  delete attributes.sizes
}

/** Resolves relative URLs in a style sheet. */
function withAbsoluteUrls(text: string, base: string): string {
  return text.replace(/url\(\s*(['"]?)([^'")\s]+)\1\s*\)/gi, (whole, _quote: string, address: string) => {
    const url = parseUrl(address, base)
    return url?.protocol.startsWith('http') ? `url("${url.href}")` : whole
  })
}

function* rootsIn(root: Document | ShadowRoot): Generator<Document | ShadowRoot> {
  yield root
  for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) yield* rootsIn(shadowRoot)
}
