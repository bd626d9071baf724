import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CDPSession, Page } from '@playwright/test'
import pg from 'pg'
import { launchBrowser, openPage } from '#tests/support/browser.ts'
import { SEED_PASSWORD } from '../bin/seed/team.ts'
import { saveHeap, withEvidence } from './evidence.ts'
import { describe, header, ratio, report, sample } from './figures.ts'
import { type Installation, install } from './installation.ts'

/** `npm run bench:ui`: response times for an agent in Chromium, with 100,000 conversations in the inbox. */
const SIZE = { conversations: 100_000, messages: 1_000_000, customers: 20_000 }
const OPENINGS = 10
const SWITCHES = 100
/** The first page contains fifty. */
const TURN = 40
const KEYSTROKES = 200
/** One message a second for an hour, replayed as fast as the machine can. */
const HOUR = 3_600
/**
 * Size of a tab in bytes that is too large after that hour: it was 15 to 18 MB in all runs but one, and 54.7 in that.
 */
const LARGE_TAB = 30 * 2 ** 20

if (!existsSync(resolve(import.meta.dirname, '..', 'dist'))) throw new Error('Run `npm run build` first.')
header('The dashboard in Chromium, 100,000 conversations')
const installation = await install(SIZE)
const browser = await launchBrowser()
try {
  await measureListShapes(installation)
  const { page } = await openPage(browser)
  await signIn(page, installation)
  const part = (name: string, work: () => Promise<number[]>) => withEvidence(name, page, work).then(describe)
  report('first row, from the start of loading', await part('opening', () => measureOpening(page)))
  report('switching, from key to painted thread', await part('switching', () => measureSwitching(page)))
  report('typing, from key to paint', await part('typing', () => measureTyping(page)))
  await withEvidence('an hour of messages', page, () => measureHour(page, installation))
} finally {
  await browser.close()
  await installation.close()
}

/** Papercups' list request, compared to ours: it returns every message of every listed conversation. */
async function measureListShapes({ url, token }: Installation) {
  const weights: Record<string, number> = {}
  const search = (query: string) => async () => {
    const answer = await fetch(`${url}/api/conversations?status=open${query}`, { headers: { authorization: token } })
    weights[query] = (await answer.arrayBuffer()).byteLength
  }
  const ours = await sample(100, search('&messages=last'))
  const theirs = await sample(50, search(''))
  report('list, newest message of each', `${describe(ours)}, ${kb(weights['&messages=last'])}`)
  report('list with threads, as existing clients ask', `${describe(theirs)}, ${kb(weights[''])}`)
  report('  the second against the first', ratio(theirs, ours))
}

async function signIn(page: Page, { url, database }: Installation) {
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query<{ email: string }>('select email from users order by id limit 1')
  await client.end()
  await page.goto(url)
  await page.getByLabel('Email').fill(rows[0]!.email)
  await page.getByLabel('Password', { exact: true }).fill(SEED_PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.locator('a[href^="/conversations/all/"]').first().waitFor()
}

/** Time until the list shows its first conversation, with a warm browser cache, as on most days. */
async function measureOpening(page: Page): Promise<number[]> {
  await page.addInitScript(() => {
    const look = () => {
      const isThere = document.querySelector('a[href^="/conversations/all/"]')
      if (isThere) Object.assign(window, { firstRow: performance.now() })
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  const samples: number[] = []
  for (let i = 0; i < OPENINGS; i++) {
    await page.reload()
    const shown = await page.waitForFunction(() => Reflect.get(window, 'firstRow'))
    samples.push(Number(await shown.jsonValue()))
  }
  return samples
}

/** Moves down the list with the arrow key and up again, as fast as a person reads headlines. */
async function measureSwitching(page: Page): Promise<number[]> {
  // Without a selection the first key press selects the first row, wherever the previous run ended.
  await page.locator('a[href="/conversations/all"]').first().click()
  await page.keyboard.press('Control+ArrowDown')
  await page.locator('[role=log] article').first().waitFor()
  await page.evaluate(() => {
    const painted: number[] = []
    Object.assign(window, { painted })
    addEventListener(
      'keydown',
      ({ key, timeStamp }) => {
        if (!key.startsWith('Arrow')) return
        const before = document.querySelector('[role=log]')
        const look = () => {
          const log = document.querySelector('[role=log]')
          if (log && log !== before && log.querySelector('article')) {
            setTimeout(() => painted.push(performance.now() - timeStamp))
          } else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      },
      true,
    )
  })
  for (let i = 1; i <= SWITCHES; i++) {
    await page.keyboard.press(Math.floor((i - 1) / TURN) % 2 === 0 ? 'Control+ArrowDown' : 'Control+ArrowUp')
    await page.waitForFunction((count) => Reflect.get(window, 'painted').length >= count, i)
    await page.waitForTimeout(50)
  }
  return page.evaluate(() => Reflect.get(window, 'painted') as number[])
}

async function measureTyping(page: Page): Promise<number[]> {
  const write = page.getByPlaceholder('Write a reply')
  await write.click()
  await page.evaluate(() => {
    const typed: number[] = []
    Object.assign(window, { typed })
    addEventListener(
      'keydown',
      ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => typed.push(performance.now() - timeStamp))),
      true,
    )
  })
  const text = 'Thank you for waiting, I have looked into this and found the parcel. '.repeat(9).slice(0, KEYSTROKES)
  await write.pressSequentially(text, { delay: 20 })
  return page.evaluate(() => Reflect.get(window, 'typed') as number[])
}

/** Memory of the tab before and after an hour of a busy account's messages, both after collecting garbage. */
async function measureHour(page: Page, { url, token, database }: Installation) {
  const session = await page.context().newCDPSession(page)
  const before = await heapOf(session)
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query<{ id: string; customer_id: string }>(
    "select id, customer_id from conversations where status = 'open' order by last_activity_at desc limit 600",
  )
  await client.end()
  for (let sent = 0; sent < HOUR; sent += 20) {
    const many = Array.from({ length: 20 }, (_, i) => rows[(sent + i) % rows.length]!)
    await Promise.all(many.map(({ id, customer_id }) => postMessage(url, token, id, customer_id, sent)))
  }
  await page.waitForTimeout(2_000)
  const after = await heapOf(session)
  report('memory of the tab', `${mb(before)} before, ${mb(after)} after ${HOUR.toLocaleString('en')} messages`)
  if (after > LARGE_TAB) report('  larger than it should be; what it holds:', await saveHeap('large tab', session))
  report('switching, right after them', describe((await measureSwitching(page)).slice(0, SWITCHES)))
}

async function postMessage(url: string, token: string, conversation_id: string, customer_id: string, sent: number) {
  const answer = await fetch(`${url}/api/messages`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ message: { conversation_id, customer_id, body: `Where is my parcel? (${sent})` } }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

function kb(bytes = 0): string {
  return `${(bytes / 1000).toFixed(0)} kB`
}

function mb(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}
