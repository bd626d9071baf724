export const ENGINES = ['chromium', 'firefox', 'webkit'] as const
export type EngineName = (typeof ENGINES)[number]

/** An element: the first visible one that matches the selector and has the text in its name. */
export interface Target {
  css: string
  /** Part of its label, of its text, or of its placeholder. */
  text?: string
  /** Selector of the frame that it is in; without it, in the page itself. */
  frame?: string
}

export interface EngineOptions {
  /** Whether people prefer dark pages. */
  isDark?: boolean
}

export interface TabOptions {
  width?: number
  height?: number
}

/** One page of a fresh browser profile, the same in every engine. */
export interface Tab {
  readonly engine: EngineName
  /** Errors and warnings of the console, and uncaught errors, of the page and of its frames. */
  readonly messages: string[]
  /** Loads an address and waits until the page has loaded. */
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /**
   * Calls a function in the page, or in the frame that a selector finds. It must not use anything outside of itself.
   * Arguments and result are JSON.
   */
  evaluate<A extends unknown[], R>(work: (...args: A) => R, args: A, frame?: string): Promise<R>
  /** Whether there is such an element, and it is visible. */
  has(target: Target): Promise<boolean>
  /** Clicks with the pointer. Throws if there is no such element. */
  click(target: Target): Promise<void>
  /** Focuses a field and types into it with the keyboard. */
  type(target: Target, text: string): Promise<void>
  /** Presses keys where the focus is: `Enter`, `Control+Enter`. */
  press(keys: string): Promise<void>
  /** Chooses a file in a file input, which may be hidden. */
  upload(target: Target, path: string): Promise<void>
  /** PNG of what is visible. */
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

/** A running browser of one engine. */
export interface Engine {
  readonly name: EngineName
  /** Opens a page that shares no storage with others. */
  open(options?: TabOptions): Promise<Tab>
  /** Ends all processes. */
  close(): Promise<void>
}

export const DEFAULT_SIZE = { width: 1440, height: 900 }

/** Keys as WebDriver names them, in the classic protocol and in BiDi. */
const KEYS: Record<string, string> = {
  Control: '\uE009',
  Shift: '\uE008',
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  ArrowDown: '\uE015',
  ArrowUp: '\uE013',
}

/** The key actions of WebDriver for a combination such as `Control+Enter`. */
export function keyActions(keys: string): { type: 'keyDown' | 'keyUp'; value: string }[] {
  const names = keys === '+' ? [keys] : keys.split('+')
  const values = names.map((key) => KEYS[key] ?? key)
  const down = values.map((value) => ({ type: 'keyDown' as const, value }))
  return [...down, ...values.toReversed().map((value) => ({ type: 'keyUp' as const, value }))]
}

/** Runs in pages: the element that a target means, or null. Looks into shadow roots, too. File inputs may be hidden. */
export function findElement(css: string, text: string | null): Element | null {
  const roots: (Document | ShadowRoot)[] = [document]
  for (const root of roots) {
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot)
  }
  const nameOf = (element: Element) =>
    [
      element.getAttribute('aria-label'),
      element.getAttribute('placeholder'),
      (element as HTMLInputElement).labels?.[0]?.textContent,
      element.textContent,
    ].join('\n')
  const isUsable = (element: Element) =>
    element.matches('[type="file"]') || element.checkVisibility({ visibilityProperty: true })
  return (
    roots
      .flatMap((root) => [...root.querySelectorAll(css)])
      .find((element) => (text === null || nameOf(element).includes(text)) && isUsable(element)) ?? null
  )
}

/** The call of a function in a page, as an expression. */
export function callOf(work: (...args: never[]) => unknown, args: unknown[]): string {
  return `(${work})(...${JSON.stringify(args)})`
}
