import type { Browser, ElementHandle, Frame, Page } from '@playwright/test'
import { launchBrowser } from '../browser.ts'
import {
  callOf,
  DEFAULT_SIZE,
  type Engine,
  type EngineOptions,
  findElement,
  type Tab,
  type TabOptions,
  type Target,
} from './tab.ts'

/** Chromium, driven by Playwright like in all other stories. */
export async function startChromium({ isDark = false }: EngineOptions = {}): Promise<Engine> {
  const browser = await launchBrowser()
  return {
    name: 'chromium',
    open: (options) => openTab(browser, { ...options, isDark }),
    close: () => browser.close(),
  }
}

async function openTab(browser: Browser, { isDark, ...size }: TabOptions & EngineOptions): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { ...DEFAULT_SIZE, ...size },
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const messages: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') messages.push(message.text())
  })
  page.on('pageerror', (error) => messages.push(error.message))
  return {
    engine: 'chromium',
    messages,
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    evaluate: async (work, args, frame) => {
      return (await frameOf(page, frame)).evaluate(callOf(work, args))
    },
    has: async ({ css, text, frame }) =>
      (await frameOf(page, frame)).evaluate(`!!${callOf(findElement, [css, text ?? null])}`),
    click: async (target) => (await find(page, target)).click(),
    type: async (target, text) => {
      await (await find(page, target)).focus()
      await page.keyboard.type(text)
    },
    press: (keys) => page.keyboard.press(keys),
    upload: async (target, path) => (await find(page, target)).setInputFiles(path),
    screenshot: () => page.screenshot(),
    close: () => context.close(),
  }
}

async function frameOf(page: Page, css: string | undefined): Promise<Frame> {
  if (!css) return page.mainFrame()
  const frame = await (await find(page, { css })).contentFrame()
  if (!frame) throw new Error(`There is no frame ${css}.`)
  return frame
}

async function find(page: Page, { css, text, frame }: Target): Promise<ElementHandle<Element>> {
  const handle = await (await frameOf(page, frame)).evaluateHandle(callOf(findElement, [css, text ?? null]))
  const element = handle.asElement()
  if (!element) throw new Error(`There is no ${css} with “${text ?? ''}”.`)
  return element as ElementHandle<Element>
}
