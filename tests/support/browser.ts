import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, expect as expectSoon, type Page } from '@playwright/test'

const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Chromium without what only a window needs, which does the same in two thirds of the time. */
const SHELL = '/usr/bin/chromium-headless-shell'

/** Flags without which a browser without a screen, as root or without the internet, stumbles. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A microphone that beeps. Who listens to it still has to be allowed.
  '--use-fake-device-for-media-stream',
]

/** Expects what comes in a moment. The moment is long, because other machines are slower or have more to do. */
export const expect = expectSoon.configure({ timeout: 15_000 })

/** `isWhole`: for what the shell does otherwise: phones, recording, and memory that is kept apart by website. */
export function launchBrowser({ isWhole = false } = {}): Promise<Browser> {
  const places = isWhole ? WHOLE : [SHELL, ...WHOLE]
  const executablePath = process.env.CHROMIUM ?? places.find(existsSync)
  if (!executablePath) throw new Error('The stories need Chromium: apt-get install -y chromium')
  return chromium.launch({ executablePath, args: FLAGS })
}

const shared = new Map<boolean, Browser>()

/** One that the stories of a process share, because starting it takes as long as a short story. Pages are everybody's own. */
export async function shareBrowser({ isWhole = false } = {}): Promise<Browser> {
  const running = shared.get(isWhole)
  if (running?.isConnected()) return running
  const browser = await launchBrowser({ isWhole })
  shared.set(isWhole, browser)
  return browser
}

/** For whoever is done with a shared browser. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

export interface Watched {
  page: Page
  /** Whatever the console called an error, and what broke; a story ends with none. */
  faults: string[]
  /** Every frame that arrived over a socket of this page, its frames included. */
  frames: string[]
}

/** Connections break when a story breaks them; the browser says so, and that is no fault. */
const EXPECTED =
  /net::ERR_|WebSocket connection to|Failed to load resource: the server responded with a status of (409|429|503)/

const opened = new Set<Watched>()

/** What stands on every open page, and what was wrong there: for a story that failed, and may not fail again. */
export async function describeOpenPages(): Promise<string> {
  const described = [...opened].map(async ({ page, faults }) => {
    const text = await page
      .locator('body')
      .innerText({ timeout: 1_000 })
      .catch((error: Error) => error.message)
    return `${page.url()}\n${faults.join('\n')}\n${text.replace(/\s+/g, ' ').slice(0, 600)}`
  })
  return (await Promise.all(described)).join('\n\n')
}

/** A person's browser of their own: nothing is shared with anybody else's. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  // Pictures that move cost an eighth of the processor's time. Where moving is what is looked at, a story asks for it.
  const still = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const
  const context = await browser.newContext({ ...still, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  const frames: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))))
  const watched = { page, faults, frames }
  opened.add(watched)
  page.once('close', () => opened.delete(watched))
  return watched
}
