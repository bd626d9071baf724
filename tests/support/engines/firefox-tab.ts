import type { BidiConnection } from './bidi.ts'
import { callOf, DEFAULT_SIZE, findElement, keyActions, type Tab, type TabOptions, type Target } from './tab.ts'

interface Value {
  type: string
  value?: unknown
  sharedId?: string
}

type Evaluated = { type: 'success'; result: Value } | { type: 'exception'; exceptionDetails: { text: string } }

/** A page in Firefox. Frames are contexts of their own, also those of other origins. */
export class FirefoxTab implements Tab {
  readonly engine = 'firefox'
  readonly messages: string[] = []
  readonly #bidi: BidiConnection
  readonly #userContext: string
  readonly #context: string

  private constructor(bidi: BidiConnection, userContext: string, context: string) {
    this.#bidi = bidi
    this.#userContext = userContext
    this.#context = context
  }

  static async open(bidi: BidiConnection, options: TabOptions = {}): Promise<FirefoxTab> {
    const { userContext } = await bidi.send<{ userContext: string }>('browser.createUserContext')
    const { context } = await bidi.send<{ context: string }>('browsingContext.create', { type: 'tab', userContext })
    const { width, height } = { ...DEFAULT_SIZE, ...options }
    await bidi.send('browsingContext.setViewport', { context, viewport: { width, height } })
    return new FirefoxTab(bidi, userContext, context)
  }

  async goto(url: string) {
    await this.#bidi.send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
  }

  async reload() {
    await this.#bidi.send('browsingContext.reload', { context: this.#context, wait: 'complete' })
  }

  async evaluate<A extends unknown[], R>(work: (...args: A) => R, args: A, frame?: string): Promise<R> {
    const { value } = await this.#evaluate(`JSON.stringify(${callOf(work, args)} ?? null)`, await this.#frameOf(frame))
    return JSON.parse(String(value))
  }

  async has({ css, text, frame }: Target) {
    const result = await this.#evaluate(`!!${callOf(findElement, [css, text ?? null])}`, await this.#frameOf(frame))
    return result.value === true
  }

  async click(target: Target) {
    await this.#click(target)
  }

  async type(target: Target, text: string) {
    const context = await this.#click(target)
    await this.#act(context, { type: 'key', id: 'keys', actions: [...text].flatMap(keyActions) })
  }

  async press(keys: string) {
    await this.#act(this.#context, { type: 'key', id: 'keys', actions: keyActions(keys) })
  }

  async upload(target: Target, path: string) {
    await this.#bidi.send('input.setFiles', { ...(await this.#find(target)), files: [path] })
  }

  async screenshot() {
    const parameters = { context: this.#context }
    const { data } = await this.#bidi.send<{ data: string }>('browsingContext.captureScreenshot', parameters)
    return Buffer.from(data, 'base64')
  }

  async close() {
    await this.#bidi.send('browser.removeUserContext', { userContext: this.#userContext })
  }

  async #evaluate(expression: string, context: string): Promise<Value> {
    const parameters = { expression, target: { context }, awaitPromise: true }
    const evaluated = await this.#bidi.send<Evaluated>('script.evaluate', parameters)
    if (evaluated.type === 'exception') throw new Error(evaluated.exceptionDetails.text)
    return evaluated.result
  }

  async #frameOf(css: string | undefined): Promise<string> {
    if (!css) return this.#context
    const { value } = await this.#evaluate(`${callOf(findElement, [css, null])}?.contentWindow`, this.#context)
    if (!value) throw new Error(`There is no frame ${css}.`)
    return (value as { context: string }).context
  }

  async #find({ css, text, frame }: Target) {
    const context = await this.#frameOf(frame)
    const { sharedId } = await this.#evaluate(callOf(findElement, [css, text ?? null]), context)
    if (!sharedId) throw new Error(`There is no ${css} with “${text ?? ''}”.`)
    return { context, element: { sharedId } }
  }

  /** Returns the context in which it clicked. */
  async #click(target: Target): Promise<string> {
    const { context, element } = await this.#find(target)
    await this.#bidi.send('script.callFunction', {
      functionDeclaration: 'element => element.scrollIntoView({ block: "nearest" })',
      arguments: [element],
      target: { context },
      awaitPromise: false,
    })
    const actions = [
      { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    await this.#act(context, { type: 'pointer', id: 'mouse', actions })
    return context
  }

  async #act(context: string, source: object) {
    await this.#bidi.send('input.performActions', { context, actions: [source] })
  }
}
