import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'
import pg from 'pg'
import { launchBrowser } from '#tests/support/browser.ts'
import { startEmbedSite } from '#tests/support/embed-site.ts'
import { describe, header, percentile, ratio, report } from './figures.ts'
import { HttpLines } from './http-lines.ts'
import { type Installation, install } from './installation.ts'
import { post } from './messages.ts'
import { listen, openMany } from './sockets.ts'

/**
 * `npm run bench:replay`: what live sessions cost the visitor's page, the network, and everybody else on the server.
 */
const ROUNDS = 15
const SLOWDOWN = 4
const SETTLED_MS = 1_500
const WATCHED_SECONDS = 10
const SESSIONS = 200
/** What an ordinary tab sends while its visitor moves the pointer and types. */
const BATCHES_PER_SECOND = 4
const MESSAGES_PER_SECOND = 200
const SECONDS = 10

if (!existsSync(resolve(import.meta.dirname, '..', 'dist'))) throw new Error('Run `npm run build` first.')
header('Live sessions')
const installation = await install({ conversations: 500, messages: 2_000, customers: 500 })
try {
  await measureVisitor(installation)
  const alone = await measureDelivery(installation)
  report(`${MESSAGES_PER_SECOND} messages/s`, describe(alone))
  const stop = await watchMany(installation)
  const beside = await measureDelivery(installation)
  report(`  beside ${SESSIONS} watched sessions`, describe(beside))
  report('  against alone', ratio(beside, alone))
  const { passedOn, seconds } = stop()
  report(`batches passed on`, `${(passedOn / seconds).toFixed(0)} a second of ${SESSIONS * BATCHES_PER_SECOND}`)
} finally {
  await installation.close()
}

/** A shop's page: some thousand elements, a few of which change now and then. */
function writeShop(script: string): string {
  const rows = Array.from(
    { length: 400 },
    (_, i) => `<li><b>Bowl ${i}</b> <span>in oak and clay</span> <i>${i} €</i></li>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">
<style>li{padding:8px;border:1px solid #ddd}</style></head><body><h1>Shop</h1><input><ul>${rows.join('')}</ul>${script}</body></html>`
}

/** What any recorder has to do before somebody watches: a secret that survives page loads, a request, and a joined socket. */
function writeLeast(url: string, address: string, account_id: string): string {
  return `const token = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(33)))).replace(/[+/]/g, '-')
sessionStorage.getItem('token')
sessionStorage.setItem('token', token)
const customer_id = JSON.parse(localStorage.getItem('customer'))
const { pathname } = location
const browser_session = { account_id: '${account_id}', customer_id, token, metadata: { pathname, title: document.title } }
const headers = { 'content-type': 'application/json' }
fetch('${url}/api/browser_sessions', { method: 'POST', headers, body: JSON.stringify({ browser_session }) })
  .then((answer) => answer.json())
  .then(({ data }) => {
    const socket = new WebSocket('${address}')
    const topic = 'events:${account_id}:' + data.id
    socket.onopen = () => socket.send(JSON.stringify(['1', '1', topic, 'phx_join', { token }]))
    socket.onmessage = ({ data }) => JSON.parse(data)
  })`
}

async function measureVisitor({ url, account_id, token }: Installation) {
  // The snippet of the setup page.
  const script = `<script async src="${url}/storytime.js?account=${account_id}"></script>`
  const address = `${url.replace('http', 'ws')}/socket/websocket?vsn=2.0.0`
  const files = {
    '/': writeShop(''),
    '/ours': writeShop(script),
    '/socket': writeShop('<script async src="/socket.js"></script>'),
    '/socket.js': `new WebSocket('${address}').onmessage = () => {}`,
    '/least': writeShop('<script async src="/least.js"></script>'),
    '/least.js': writeLeast(url, address, account_id),
  }
  const site = await startEmbedSite(url, files, { style: "'unsafe-inline'" })
  const browser = await launchBrowser()
  const visit = async (path: string, use?: (page: Page) => Promise<void>) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    let sent = 0
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => (sent += payload.length)))
    const session = await context.newCDPSession(page)
    // The thread's own processor time: wall time grows when other processes share the processor.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    await page.goto(site.url + path)
    await page.waitForTimeout(SETTLED_MS)
    const before = await busyMs(session)
    if (!use) {
      await context.close()
      return { ...before, sent }
    }
    await use(page)
    const after = await busyMs(session)
    await context.close()
    return { script: after.script - before.script, drawing: after.drawing - before.drawing, sent }
  }
  const watched = async (page: Page) => {
    const { data } = (await (
      await fetch(`${url}/api/browser_sessions?active=true&limit=1`, { headers: { authorization: token } })
    ).json()) as { data: { id: string }[] }
    const topic = `events:admin:${account_id}:${data[0]!.id}`
    const watcher = await listen(url, `&token=${token}`, [topic], {}, () => undefined)
    await use(page)
    watcher.terminate()
  }
  // Each visit is a first one, in a new browser context. The variants take turns, because the machine's speed changes.
  const pages = ['/', '/ours', '/socket', '/least']
  const costs = new Map<string, Busy[]>(pages.map((path) => [path, []]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const path of pages) {
      const cost = await visit(path)
      if (round >= 0) costs.get(path)!.push(cost)
    }
  }
  const middle = (path: string, what: keyof Busy) =>
    percentile(
      costs.get(path)!.map((one) => one[what]),
      0.5,
    )
  const more = (path: string) => {
    const [script, drawing] = (['script', 'drawing'] as const).map((what) =>
      (middle(path, what) - middle('/', what)).toFixed(1),
    )
    return `${script} ms of script, ${drawing} ms of style and layout more, in the middle of ${ROUNDS} visits`
  }
  report(`nobody watches, at ${SLOWDOWN} × slow-down [< 5 ms]`, more('/ours'))
  report('  a page that only opens a socket', more('/socket'))
  report('  the least that a session needs', more('/least'))
  const [unwatched, seen] = [await visit('/', use), await visit('/ours', watched)]
  const busy = (seen.script + seen.drawing - unwatched.script - unwatched.drawing) / WATCHED_SECONDS
  report(
    'watched',
    `${busy.toFixed(0)} ms of main thread in a second at ${SLOWDOWN} × slow-down, the first picture included`,
  )
  report('  sent', `${((seen.sent / WATCHED_SECONDS) * 0.06).toFixed(0)} kB a minute`)
  await browser.close()
  await site.close()
}

/** Simulates a visitor who moves the pointer, scrolls and types. */
async function use(page: Page) {
  const end = performance.now() + WATCHED_SECONDS * 1000
  for (let step = 0; performance.now() < end; step++) {
    await page.mouse.move(100 + ((step * 37) % 600), 100 + ((step * 23) % 400))
    if (step % 10 === 0) await page.mouse.wheel(0, step % 20 ? 200 : -200)
    if (step % 15 === 0) await page.locator('input').press('x')
    await page.waitForTimeout(50)
  }
}

/** Milliseconds of main-thread time since the page began to load. */
interface Busy {
  script: number
  drawing: number
}

async function busyMs(session: CDPSession): Promise<Busy> {
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (metric: string) => (metrics.find(({ name }) => name === metric)?.value ?? 0) * 1000
  return { script: of('ScriptDuration'), drawing: of('LayoutDuration') + of('RecalcStyleDuration') }
}

/** Many sending recorders, each with a watcher. Returns what the load ends with. */
async function watchMany({ url, account_id, token }: Installation) {
  let passedOn = 0
  const secrets = Array.from({ length: SESSIONS }, () => randomBytes(32).toString('base64url'))
  const ids: string[] = []
  for (const secret of secrets) ids.push(await begin(url, account_id, secret))
  const recorders = await openMany(SESSIONS, (i) =>
    listen(url, '', [`events:${account_id}:${ids[i]}`], { token: secrets[i] }, () => undefined),
  )
  const watchers = await openMany(SESSIONS, (i) =>
    listen(url, `&token=${token}`, [`events:admin:${account_id}:${ids[i]}`], {}, (frame) => {
      if (frame.includes('replay:events')) passedOn++
    }),
  )
  const positions = Array.from({ length: 20 }, (_, i) => ({ x: i, y: i, id: i, timeOffset: -i }))
  const events = [1, 2].map((i) => ({ type: 3, timestamp: i, data: { source: 1, positions } }))
  const started = performance.now()
  let turn = 0
  // A few tabs at a time, because real tabs do not send all at the same moment.
  const timer = setInterval(
    () => {
      for (let i = turn++ % 25; i < SESSIONS; i += 25) {
        const topic = `events:${account_id}:${ids[i]}`
        recorders.sockets[i]!.send(JSON.stringify(['1', '2', topic, 'replay:events', { events }]))
      }
    },
    1000 / BATCHES_PER_SECOND / 25,
  )
  return () => {
    clearInterval(timer)
    const seconds = (performance.now() - started) / 1000
    recorders.close()
    watchers.close()
    return { passedOn, seconds }
  }
}

async function begin(url: string, account_id: string, token: string): Promise<string> {
  const answer = await fetch(`${url}/api/browser_sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ browser_session: { account_id, token, metadata: { pathname: '/' } } }),
  })
  return ((await answer.json()) as { data: { id: string } }).data.id
}

/** Time from an agent's post to its arrival on a colleague's socket. */
async function measureDelivery({ url, token, account_id, database }: Installation): Promise<number[]> {
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from conversations limit 200')
  await client.end()
  const started = new Map<string, number>()
  const delivered: number[] = []
  const agent = await listen(url, `&token=${token}`, [`notification:${account_id}`], {}, (frame) => {
    const [body = ''] = /bench-[0-9a-f-]{36}/.exec(frame) ?? []
    const at = frame.includes('"shout"') ? started.get(body) : undefined
    if (at === undefined) return
    started.delete(body)
    delivered.push(performance.now() - at)
  })
  const lines = new HttpLines(url)
  const calls: Promise<unknown>[] = []
  const begun = performance.now()
  for (let i = 0; i < MESSAGES_PER_SECOND * SECONDS; i++) {
    const wait = begun + (i * 1000) / MESSAGES_PER_SECOND - performance.now()
    if (wait > 1) await sleep(wait)
    // The first messages are left out: a server that just started still compiles its code.
    if (i === MESSAGES_PER_SECOND * 2) delivered.length = 0
    const body = `bench-${randomUUID()}`
    started.set(body, performance.now())
    calls.push(post(lines, token, { conversation_id: rows[i % rows.length]!.id, body, id: randomUUID() }))
  }
  await Promise.all(calls)
  await sleep(500)
  agent.terminate()
  lines.close()
  return delivered
}
