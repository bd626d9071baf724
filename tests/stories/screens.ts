import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEngine } from '#tests/support/engines/engines.ts'
import type { Engine, EngineName, Tab } from '#tests/support/engines/tab.ts'
import { seedCompany } from '../../bin/seed/seed.ts'
import { SEED_PASSWORD } from '../../bin/seed/team.ts'
import { PAGES } from '../../dashboard/pages.ts'
import { addressOf, createThings, type Ids, listAddresses } from './addresses.ts'
import { PICTURES, type Picture } from './picture-page.ts'
import { call, type Scene, setScene } from './scene.ts'

// `npm run pictures -- --engine firefox` runs this in place of the stories: every screen, in the sizes of a computer and
// of a phone, light and dark.

const name = process.env.PICTURES_ENGINE as EngineName
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
/** A screen that has not changed for so long has loaded its parts. */
const STILL_MS = 600
const PATIENCE_MS = 30_000
/** One after the other on a busy machine. */
const TIMEOUT_MS = 40 * 60_000

/** What browsers log although nothing is wrong. */
const HARMLESS = [
  // A part that has just loaded changed a size while sizes were reported: it is reported a frame later.
  /^ResizeObserver loop completed/,
  // Firefox: the page was left while a font was on its way.
  /^downloadable font: download failed .* status=2152398850/,
]
/** Without their links these pages say so, and Chromium logs the refusal. */
const NEEDS_LINK = ['/rate', '/share']

let scene: Scene
let ids: Ids
let user: { email: string; password: string }
let help: string
beforeAll(async () => {
  scene = await setScene({}, { REACHABLE_HOSTS: 'localhost' })
  const size = { customers: 120, conversations: 300, days: 60, open_share: 0.2 }
  const { emails } = await seedCompany(scene.database, pino({ level: 'warn' }), size)
  user = { email: emails[0]!, password: SEED_PASSWORD }
  const { data } = await call(scene.url, 'POST', '/api/session', { user })
  const { data: list } = await call(scene.url, 'GET', '/api/conversations?status=open', undefined, data.token)
  const { id: conversation_id, customer_id, inbox_id } = list[0]
  ids = await createThings(scene.url, data.token, { conversation_id, customer_id, inbox_id })
  help = '/help/lumen-and-oak'
}, TIMEOUT_MS)
afterAll(() => scene.close())

test.for([false, true])(
  `every screen is drawn whole and with a quiet console, dark: %s`,
  { timeout: TIMEOUT_MS },
  async (isDark) => {
    const engine = await startEngine(name, { isDark })
    const troubles: string[] = []
    try {
      for (const size of SIZES) troubles.push(...(await pictureAll(engine, size, isDark ? 'dark' : 'light')))
    } finally {
      await engine.close()
    }
    expect(troubles).toEqual([])
  },
)

async function pictureAll(engine: Engine, size: (typeof SIZES)[number], theme: string): Promise<string[]> {
  const troubles: string[] = []
  // Said at once, because the walk takes minutes.
  const report = (text: string) => {
    console.error(text)
    troubles.push(text)
  }
  const group = `${engine.name}, ${size.width} px, ${theme}`
  const walk = async (tab: Tab, address: string, show: (address: string) => Promise<void>) => {
    const from = tab.messages.length
    try {
      await show(address)
      await waitUntilStill(tab)
    } catch (error) {
      report(`${group}: ${address}: ${error instanceof Error ? error.message : error}`)
    }
    const image = await tab.screenshot()
    const file = `${engine.name}-${size.width}-${theme}-${address.replace(/[\da-f]{8}-[\da-f-]{27}/g, 'id').replaceAll(/\W+/g, '-')}.png`
    const picture: Picture = { story: group, test: address, url: scene.url + address, file }
    await mkdir(PICTURES, { recursive: true })
    await writeFile(join(PICTURES, file), image)
    await writeFile(join(PICTURES, `${file}.json`), JSON.stringify(picture))
    const messages = tab.messages.slice(from).filter((text) => !HARMLESS.some((pattern) => pattern.test(text)))
    for (const text of NEEDS_LINK.includes(address) ? [] : messages) report(`${group}: ${address}: ${text}`)
    const tooWide = await tab.evaluate(findTooWide, [])
    if (tooWide) report(`${group}: ${address}: is wider than the window: ${tooWide}`)
  }
  const visitor = await engine.open(size)
  const open = PAGES.filter(({ alone, paths }) => alone && paths[0] !== '/logout').map(({ paths }) => paths[0]!)
  for (const path of open) {
    const address = addressOf(path.replace('/:invite?', ''), ids)
    await walk(visitor, address, (whole) => visitor.goto(scene.url + whole))
  }
  await walk(visitor, help, (address) => visitor.goto(scene.url + address))
  await visitor.close()

  const tab = await engine.open(size)
  await tab.goto(`${scene.url}/login`)
  // Each page signs in by itself: a session that another page has renewed meanwhile would be refused.
  const { data } = await call(scene.url, 'POST', '/api/session', { user })
  const session = JSON.stringify({ ...data, renewed_at: Date.now() })
  await tab.evaluate((stored) => localStorage.setItem('parley.session', stored), [session])
  await tab.goto(`${scene.url}/conversations/all`)
  const conversationPath = `/conversations/all/${ids.conversation_id}`
  for (const address of [...listAddresses(ids), conversationPath])
    await walk(tab, address, (path) => goInside(tab, path))
  await tab.close()
  return troubles
}

/** Goes to another page without loading the dashboard again, and waits for its heading. */
async function goInside(tab: Tab, address: string): Promise<void> {
  await tab.evaluate(
    (path) => {
      for (const part of document.querySelectorAll('main, main *')) part.setAttribute('data-before', '')
      history.pushState({}, '', path)
      dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    },
    [address],
  )
  await waitFor(tab, 'its heading', () => !!document.querySelector('main h1:not([data-before])'))
  if (await tab.evaluate(() => location.pathname === '/login', [])) throw new Error('The session has ended.')
}

async function waitUntilStill(tab: Tab): Promise<void> {
  await waitFor(
    tab,
    'its parts',
    () =>
      !document.querySelector('[aria-busy="true"]') &&
      document.fonts.status === 'loaded' &&
      document.body.innerText.trim() !== '',
  )
  let before = ''
  let since = Date.now()
  const end = Date.now() + PATIENCE_MS
  while (Date.now() - since < STILL_MS) {
    if (Date.now() > end) throw new Error('It keeps changing.')
    const now = await tab.evaluate(() => document.body.innerText.replace(/\d+/g, ''), [])
    if (now !== before) since = Date.now()
    before = now
    await sleep(100)
  }
}

async function waitFor(tab: Tab, what: string, isThere: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!(await tab.evaluate(isThere, []))) {
    if (Date.now() > end) throw new Error(`${what} did not load.`)
    await sleep(100)
  }
}

/** Runs in pages: what makes the page wider than the window, or an empty text. */
function findTooWide(): string {
  const limit = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= limit) return ''
  const wide = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > limit + 1 && element.checkVisibility(),
  )
  const named = wide.slice(-3).map((element) => `${element.tagName.toLowerCase()}.${element.className}`)
  return `${document.documentElement.scrollWidth} px, ${named.join(', ')}`
}
