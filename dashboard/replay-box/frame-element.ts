/** Replaces an `iframe` of the page: an element whose shadow tree holds the frame's page. */
export const FRAME = 'replayed-frame'
/** The attribute of frames that show another website. */
export const FOREIGN = 'foreign'

/**
 * Browser defaults for frames, which the page may override. Fixed elements stay within the frame, and viewport units
 * are relative to it. Its `html` scrolls, above a layer with the background of the whole page.
 */
const STYLE = `
:host{display:inline-block;width:300px;height:150px;border:2px inset;contain:strict;contain-intrinsic-size:300px 150px;container-type:size;overflow:hidden}
:host([hidden]){display:none}
:where(html){all:initial;display:block;overflow:auto;unicode-bidi:isolate}
html{position:absolute!important;inset:0!important;width:auto!important;height:auto!important;margin:0!important}
noscript{display:none!important}
.replayed-canvas,.replayed-note{position:absolute;inset:0;pointer-events:none}
.replayed-note{display:none;z-index:1}
:host([${FOREIGN}]) .replayed-note{display:grid;place-content:center;padding:8px;background:#f3f4f6;color:#4b5563;
  font:13px/1.4 system-ui,sans-serif;text-align:center}`

/** Shown in place of another website's page. */
let foreignText = ''
export function setForeignWords(text: string) {
  foreignText = text
}

/** Defines the element. A function, because tests import this file without a DOM. */
export function defineFrame() {
  class ReplayedFrame extends HTMLElement {
    static observedAttributes = ['width', 'height', 'frameborder', 'scrolling', FOREIGN]
    readonly #own = document.createElement('style')
    readonly #canvas = Object.assign(document.createElement('div'), { className: 'replayed-canvas' })
    readonly #note = Object.assign(document.createElement('div'), { className: 'replayed-note' })
    readonly #root = this.attachShadow({ mode: 'open' })
    #isDue = false
    #background = ''

    constructor() {
      super()
      this.#own.textContent = STYLE
      this.#root.append(this.#own, this.#canvas, this.#note)
      new MutationObserver(() => this.#colourSoon()).observe(this.#root, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
        attributeFilter: ['class', 'style', 'id'],
      })
    }

    attributeChangedCallback() {
      this.#note.textContent = this.hasAttribute(FOREIGN) ? foreignText : ''
      const rules = [
        sizeRule('width', this.getAttribute('width')),
        sizeRule('height', this.getAttribute('height')),
        /^(0|no)$/.test(this.getAttribute('frameborder') ?? '') ? 'border-width:0' : '',
      ]
      const isStill = /^(no|off|noscroll)$/i.test(this.getAttribute('scrolling') ?? '')
      this.#own.textContent = `${STYLE}\n:host{${rules.join('')}}${isStill ? ':where(html){overflow:hidden}' : ''}`
    }

    #colourSoon() {
      if (!this.#isDue) requestAnimationFrame(() => this.#colour())
      this.#isDue = true
    }

    /** The page's background is that of `html`, otherwise of `body`, and covers the whole frame. */
    #colour() {
      this.#isDue = false
      const painted = ['html', 'body'].map((name) => this.#root.querySelector(name)).find(isPainted)
      const background = painted ? backgroundOf(painted) : ''
      // Setting the same value would trigger the observer.
      if (background !== this.#background) this.#canvas.style.cssText = background
      this.#background = background
    }
  }
  customElements.define(FRAME, ReplayedFrame)
}

function sizeRule(name: string, value: string | null): string {
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)(%?)/.exec(value ?? '') ?? []
  return number ? `${name}:${number}${unit || 'px'};` : ''
}

function backgroundOf(element: Element): string {
  const style = getComputedStyle(element)
  const names = ['color', 'image', 'position', 'size', 'repeat'].map((name) => `background-${name}`)
  return names.map((name) => `${name}:${style.getPropertyValue(name)};`).join('')
}

function isPainted(element: Element | null): element is Element {
  if (!element) return false
  const { backgroundColor, backgroundImage } = getComputedStyle(element)
  return backgroundImage !== 'none' || !/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor)
}
