import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CDPSession, Page } from '@playwright/test'
import { launchBrowser } from '#tests/support/browser.ts'
import { bundle, REACT_17 } from '#tests/support/bundle.ts'
import { startEmbedSite, writePage } from '#tests/support/embed-site.ts'
import { header, percentile, report } from './figures.ts'
import { install } from './installation.ts'

/**
 * `npm run bench:widget`: the widget's cost for a page, compared to Papercups' published widget on the same
 * page.
 */
const ROUNDS = 5
const SLOWDOWN = 4
const SETTLED_MS = 1_000

const OLD = `
import React from 'react'
import { render } from 'react-dom'
import ChatWidget from '@papercups-io/chat-widget'
render(React.createElement(ChatWidget, window.options), document.getElementById('app'))`

interface Cost {
  bytes: number
  requests: number
  shift: number
  /** Milliseconds in which the page's main thread was busy. Frames of other sites run in processes of their own. */
  busy: number
}

if (!existsSync(resolve(import.meta.dirname, '..', 'dist'))) throw new Error('Run `npm run build` first.')
header('The widget on a page')
const installation = await install({ conversations: 10, messages: 100 })
const { url, account_id } = installation
const options = { token: account_id, baseUrl: url, iframeUrlOverride: `${url}/chat` }
const site = await startEmbedSite(
  url,
  {
    '/': writePage('/config.js'),
    '/ours': writePage('/config.js', `${url}/widget.js?token=${account_id}`),
    '/old': writePage('/config.js', '/old.js'),
    '/config.js': `window.options=${JSON.stringify(options)};window.Parley={config:options}`,
    '/old.js': await bundle(OLD, REACT_17),
  },
  { style: "'unsafe-inline'" },
)
const browser = await launchBrowser()
try {
  const bare = await loadOften('/')
  for (const [name, path] of [
    ['Parley', '/ours'],
    ['published widget 1.3.1', '/old'],
  ] as const) {
    const loaded = await loadOften(path)
    const opened = await loadOften(path, open)
    report(`${name}, before any click`, describeCost(loaded, bare))
    report(`${name}, open`, describeCost(opened, bare))
  }
} finally {
  await browser.close()
  await site.close()
  await installation.close()
}

/** The median of several first visits, each in a fresh browser context. */
async function loadOften(path: string, then?: (page: Page) => Promise<void>): Promise<Cost> {
  const costs: Cost[] = []
  for (let i = 0; i < ROUNDS; i++) costs.push(await loadOnce(path, then))
  const middle = (key: keyof Cost) =>
    percentile(
      costs.map((cost) => cost[key]),
      0.5,
    )
  return { bytes: middle('bytes'), requests: middle('requests'), shift: middle('shift'), busy: middle('busy') }
}

async function loadOnce(path: string, then?: (page: Page) => Promise<void>): Promise<Cost> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const cost = { bytes: 0, requests: 0, shift: 0, busy: 0 }
  await session.send('Performance.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  const weighing: Promise<unknown>[] = []
  page.on('requestfinished', (request) => {
    cost.requests++
    weighing.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => {
        cost.bytes += responseBodySize + responseHeadersSize
      }),
    )
  })
  await page.goto(site.url + path)
  await page.waitForTimeout(SETTLED_MS)
  if (then) {
    await then(page)
    await page.waitForTimeout(SETTLED_MS)
  }
  cost.busy = await busyMs(session)
  cost.shift = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => done(sum), 50)
      }),
  )
  await Promise.all(weighing)
  await context.close()
  return cost
}

async function open(page: Page) {
  await page.getByRole('button', { name: 'Open chat widget' }).click()
  await page.frameLocator('iframe').getByPlaceholder('Start typing...').waitFor()
}

/** Time of script, style and layout. Counting whole tasks would include the browser's own idle work. */
async function busyMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  const names = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']
  return metrics.reduce((sum, { name, value }) => sum + (names.includes(name) ? value * 1000 : 0), 0)
}

function describeCost(cost: Cost, bare: Cost): string {
  const kb = ((cost.bytes - bare.bytes) / 1000).toFixed(1)
  const busy = (cost.busy - bare.busy).toFixed(0)
  return `${kb} kB in ${cost.requests - bare.requests} requests, ${busy} ms of main thread at ${SLOWDOWN} × slow-down, layout shift ${cost.shift.toFixed(3)}`
}
