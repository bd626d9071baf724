import type { Child } from './child.ts'
import type { startConsoleProxy } from './console-proxy.ts'
import { DEFAULT_SIZE, findElement, keyActions, type Tab, type TabOptions, type Target } from './tab.ts'
import type { WebDriverCall } from './webdriver.ts'

/** The name by which WebDriver marks an element among other values. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
type ElementRef = { [ELEMENT]: string }

interface Parts {
  /** Sends commands to the session of the page. */
  call: WebDriverCall
  driver: Child
  consoleProxy: Awaited<ReturnType<typeof startConsoleProxy>>
}

/** A page in WebKit, with a browser of its own. The driver is in one frame at a time, and returns to the page. */
export class WebkitTab implements Tab {
  readonly engine = 'webkit'
  readonly messages: string[]
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
    this.messages = parts.consoleProxy.messages
  }

  async resize(options: TabOptions = {}) {
    await this.#parts.call('POST', '/window/rect', { x: 0, y: 0, ...DEFAULT_SIZE, ...options })
  }

  async goto(url: string) {
    await this.#parts.call('POST', '/url', { url })
  }

  async reload() {
    await this.#parts.call('POST', '/refresh', {})
  }

  evaluate<A extends unknown[], R>(work: (...args: A) => R, args: A, frame?: string): Promise<R> {
    return this.#within(frame, () => this.#run<R>(`return (${work})(...arguments)`, args))
  }

  has({ css, text, frame }: Target) {
    return this.#within(frame, async () => (await this.#find(css, text)) !== null)
  }

  click(target: Target) {
    return this.#onElement(target, 'click', {})
  }

  // Sending keys to an element does not work in frames of other origins, where it counts as not focusable.
  async type(target: Target, text: string) {
    await this.click(target)
    await this.#pressKeys([...text].flatMap(keyActions))
  }

  press(keys: string) {
    return this.#pressKeys(keyActions(keys))
  }

  upload(target: Target, path: string) {
    return this.#onElement(target, 'value', { text: path })
  }

  async screenshot() {
    return Buffer.from(await this.#parts.call<string>('GET', '/screenshot'), 'base64')
  }

  async close() {
    const { call, driver, consoleProxy } = this.#parts
    // A browser that does not answer ends with its driver.
    await call('DELETE', '').catch(() => undefined)
    await driver.end()
    await consoleProxy.close()
  }

  #run<R>(script: string, args: unknown[]): Promise<R> {
    return this.#parts.call<R>('POST', '/execute/sync', { script, args })
  }

  #find(css: string, text?: string): Promise<ElementRef | null> {
    return this.#run(`return (${findElement})(...arguments)`, [css, text ?? null])
  }

  async #within<R>(css: string | undefined, work: () => Promise<R>): Promise<R> {
    if (!css) return work()
    const frame = await this.#find(css)
    if (!frame) throw new Error(`There is no frame ${css}.`)
    await this.#parts.call('POST', '/frame', { id: frame })
    try {
      return await work()
    } finally {
      await this.#parts.call('POST', '/frame', { id: null })
    }
  }

  #onElement({ css, text, frame }: Target, action: string, body: object): Promise<void> {
    return this.#within(frame, async () => {
      const element = await this.#find(css, text)
      if (!element) throw new Error(`There is no ${css} with “${text ?? ''}”.`)
      await this.#parts.call('POST', `/element/${element[ELEMENT]}/${action}`, body)
    })
  }

  async #pressKeys(actions: object[]) {
    await this.#parts.call('POST', '/actions', { actions: [{ type: 'key', id: 'keys', actions }] })
  }
}
