import { setTimeout as sleep } from 'node:timers/promises'
import { ANIMALS, COLORS } from '#contract/customers/nickname.ts'
import type { Tab, Target } from './tab.ts'

/** Long, because the machine may be busy; polled often, because it usually is not. */
const PATIENCE_MS = 45_000
const POLL_MS = 100
/** A page that has not changed for so long has loaded its parts. */
const STILL_MS = 1_500

/** What a person sees of a page: its text in order, and where its main elements are. */
export interface Sight {
  name: string
  text: string[]
  /** By selector: left, top, width and height in pixels. */
  boxes: Record<string, [number, number, number, number]>
}

/** Somebody who uses a page: waits for what they need, and remembers what they saw. */
export class Person {
  readonly tab: Tab
  readonly sights: Sight[] = []

  constructor(tab: Tab) {
    this.tab = tab
  }

  goto(url: string) {
    return this.tab.goto(url)
  }

  click(target: Target) {
    return retry(() => this.tab.click(target))
  }

  /** Types into a field once it is there. */
  async type(target: Target, text: string) {
    await this.see(target)
    await this.tab.type(target, text)
  }

  press(keys: string) {
    return this.tab.press(keys)
  }

  async upload(target: Target, path: string) {
    await this.see(target)
    await this.tab.upload(target, path)
  }

  /** Waits until an element is visible. */
  see(target: Target) {
    return retry(async () => {
      if (await this.tab.has(target)) return
      throw new Error(`${this.tab.engine} does not show ${target.css} with “${target.text ?? ''}”.`)
    })
  }

  /** Waits until a function of the page returns a value, and returns it. */
  async waitFor<A extends unknown[], R>(work: (...args: A) => R, args: A, frame?: string): Promise<NonNullable<R>> {
    let value: R | undefined
    await retry(async () => {
      value = await this.tab.evaluate(work, args, frame)
      if (!value) throw new Error(`${this.tab.engine} waits in vain.`)
    })
    return value as NonNullable<R>
  }

  /** Remembers what a part of the page shows, once it no longer changes. */
  async look(name: string, root: string, parts: string[], frame?: string): Promise<Sight> {
    let before = ''
    let since = Date.now()
    let sight: Sight | undefined
    await retry(async () => {
      const { text, boxes } = await this.tab.evaluate(readSight, [root, parts], frame)
      sight = { name, text: text.map(withoutChance), boxes }
      const now = JSON.stringify(sight)
      if (now !== before) since = Date.now()
      before = now
      if (Date.now() - since < STILL_MS) throw new Error(`${name} keeps changing in ${this.tab.engine}.`)
    })
    if (!sight) throw new Error(`${name} was not seen.`)
    this.sights.push(sight)
    return sight
  }
}

/** Repeats something until it does not fail. */
async function retry(work: () => Promise<void>): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > end) throw error
      await sleep(POLL_MS)
    }
  }
}

const NICKNAMES = new RegExp(`(${COLORS.join('|')}) (${ANIMALS.join('|')})`, 'g')

/** Times of day, ages, ids and names made of ids differ between two runs. */
function withoutChance(text: string): string {
  return text
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
    .replace(NICKNAMES, 'nickname')
    .replace(/localhost:\d+/g, 'localhost')
    .replace(/\d{1,2}:\d{2}(:\d{2})?\s?([AP]M)?/gi, '0:00')
    .replace(/\b(just now|now|\d+ ?(seconds?|minutes?|s|m|min)( ago)?)\b/gi, 'now')
}

/** Runs in pages: visible texts and values in order, and the places of elements. */
function readSight(root: string, parts: string[]): Omit<Sight, 'name'> {
  const top = document.querySelector(root) ?? document.body
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  const text: string[] = []
  const isShown = (element: Element | null) =>
    element?.checkVisibility({ visibilityProperty: true }) && !element.closest('select, script, style, noscript, svg')
  while (walker.nextNode()) {
    const node = walker.currentNode
    if (node instanceof Text && node.data.trim() && isShown(node.parentElement)) text.push(node.data.trim())
    if (node instanceof HTMLSelectElement && node.checkVisibility()) text.push(node.selectedOptions[0]?.text ?? '')
    const isField = node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement
    if (isField && isShown(node) && node.type !== 'password') text.push(node.value || node.placeholder)
  }
  const boxOf = (css: string) => {
    const { x = -1, y = -1, width = -1, height = -1 } = document.querySelector(css)?.getBoundingClientRect() ?? {}
    return [x, y, width, height].map(Math.round) as [number, number, number, number]
  }
  return { text, boxes: Object.fromEntries(parts.map((css) => [css, boxOf(css)])) }
}
