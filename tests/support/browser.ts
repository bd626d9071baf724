import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  expect as expectSoon,
  type Frame,
  type Page,
} from '@playwright/test'
import { onTestFinished } from 'vitest'

const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Headless Chromium, which needs a third less time than the full browser. */
const SHELL = '/usr/bin/chromium-headless-shell'

/** Flags for running without a screen, as root and without internet access. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A fake microphone that beeps. Pages still need permission to use it.
  '--use-fake-device-for-media-stream',
]

/** Polls until the expectation holds. The timeout is long, because other machines may be slower or busy. */
export const expect = expectSoon.configure({ timeout: 15_000 })

/** `isWhole` starts full Chromium: for phones, recording, and memory separated by website. */
export function launchBrowser({ isWhole = false } = {}): Promise<Browser> {
  const paths = isWhole ? WHOLE : [SHELL, ...WHOLE]
  const executablePath = process.env.CHROMIUM ?? paths.find(existsSync)
  if (!executablePath) throw new Error('The stories need Chromium: apt-get install -y chromium')
  return chromium.launch({ executablePath, args: FLAGS })
}

const shared = new Map<boolean, Browser>()

/**
 * One browser shared by the stories of a process, because starting it takes as long as a short story. Each story opens
 * its own pages.
 */
export async function shareBrowser({ isWhole = false } = {}): Promise<Browser> {
  const running = shared.get(isWhole)
  if (running?.isConnected()) return running
  const browser = await launchBrowser({ isWhole })
  shared.set(isWhole, browser)
  return browser
}

/** Closes the pages of a shared browser when a story file ends. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

export interface Watched {
  page: Page
  /** Console errors and page errors; a story must end with none. */
  faults: string[]
  /** Every frame that arrived over a socket of this page or its iframes. */
  frames: string[]
}

/** Stories break connections on purpose; the console errors of that are no faults. */
const EXPECTED =
  /net::ERR_|WebSocket connection to|Failed to load resource: the server responded with a status of (409|429|503)/

/** Open pages and their failed requests, which stories also cause on purpose. */
const opened = new Map<Watched, string[]>()

/** Contents and errors of all open pages, for the report of a failed story that may not fail again. */
export async function describeOpenPages(): Promise<string> {
  const described = [...opened].map(async ([{ page, faults }, failed]) => {
    const frames = await Promise.all(page.frames().map(describeFrame))
    return [...frames, ...faults, ...failed].join('\n')
  })
  return (await Promise.all(described)).join('\n\n')
}

/** Pictures of all open pages as they are, left out where a page cannot be drawn. */
export async function picturesOfOpenPages(): Promise<{ url: string; image: Buffer }[]> {
  const taken = [...opened].map(async ([{ page }]) => {
    const image = await page.screenshot({ type: 'jpeg', quality: 60, timeout: 5_000 }).catch(() => undefined)
    return image ? [{ url: page.url(), image }] : []
  })
  return (await Promise.all(taken)).flat()
}

async function describeFrame(frame: Frame): Promise<string> {
  const tree = await frame
    .locator('body')
    .ariaSnapshot({ timeout: 1_000 })
    .catch((error: Error) => error.message)
  return `${frame.url()}\n${tree.slice(0, 1_500)}`
}

/**
 * Opens a page in a browser context of its own, which shares no storage with others. It is closed with its test, because
 * unused pages keep working; one opened before the first test stays open.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  // Animations cost an eighth of the processor's time. A story about animations turns them on.
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
  const failed: string[] = []
  page.on('requestfailed', (request) => failed.push(`${request.failure()?.errorText} ${request.url()}`))
  const watched = { page, faults, frames }
  opened.set(watched, failed)
  page.once('close', () => opened.delete(watched))
  closeWithTest(context)
  return watched
}

function closeWithTest(context: BrowserContext) {
  try {
    onTestFinished(() => context.close())
  } catch {
    // Opened for all tests of the file, or by a benchmark.
  }
}
