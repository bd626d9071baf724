import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, header, report, time } from './figures.ts'
import { type Installation, install } from './installation.ts'

/**
 * `npm run bench:visitors`: a website's busy hour in one minute. 2,000 visitors load a page with the widget, 1,000 of
 * them open it. Shows what the server spends on those who never open it. Linux only: it reads /proc.
 */
const VISITORS = 2_000
const OPENERS = 1_000
const SECONDS = 60
/** Clock ticks of /proc per second. */
const TICKS = 100

const dist = resolve(import.meta.dirname, '..', 'dist', 'widget')
if (!existsSync(dist)) throw new Error('Run `npm run build` first.')
header(`${VISITORS} visitors in ${SECONDS} s, ${OPENERS} of them open the chat`)
const installation = await install({ conversations: 100, messages: 1_000 })
try {
  const page = await (await fetch(`${installation.url}/chat`)).text()
  const parts = [...page.matchAll(/(?:src|href)="(\/chat\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  // Warms up compiled code and connections.
  for (let i = 0; i < 50; i++) await open(installation, parts)
  await sleep(1_000)
  const idle = await measureCpu(installation, SECONDS / 4, async () => undefined)
  report('idle', cpu(idle * 4, 1))
  const looking = await measure('only look', VISITORS - OPENERS, (target) => visit(target))
  const opening = await measure('look, and open', OPENERS, async (target) => {
    await visit(target)
    await open(target, parts)
  })
  report('  an opening more than a look', `${(((opening - looking) / OPENERS) * 1000).toFixed(2)} ms of processor`)
  const sockets = await openSockets(installation)
  report('sockets after all that', String(sockets))
} finally {
  await installation.close()
}

/** Spreads the visitors over half of the time; returns their processor seconds, minus those of an idle server. */
async function measure(
  name: string,
  visitors: number,
  visit: (target: Installation) => Promise<void>,
): Promise<number> {
  const waits: number[] = []
  const pause = ((SECONDS / 2) * 1000) / visitors
  const spent = await measureCpu(installation, SECONDS / 2, async () => {
    const all: Promise<unknown>[] = []
    const started = performance.now()
    for (let i = 0; i < visitors; i++) {
      all.push(time(() => visit(installation)).then((ms) => waits.push(ms)))
      await sleep(Math.max(0, started + i * pause - performance.now()))
    }
    await Promise.all(all)
  })
  report(`${visitors} ${name}`, `${describe(waits)}; ${cpu(spent, visitors)}`)
  return spent
}

/** Processor seconds of server and database during the work, over at least this many seconds. */
async function measureCpu(target: Installation, seconds: number, work: () => Promise<unknown>): Promise<number> {
  const before = processorSeconds(target)
  await Promise.all([work(), sleep(seconds * 1000)])
  return processorSeconds(target) - before
}

function cpu(seconds: number, visitors: number): string {
  const each = visitors > 1 ? `, ${((seconds / visitors) * 1000).toFixed(2)} ms each` : ''
  return `${seconds.toFixed(2)} s of processor${each}`
}

/** Requests of every page with the widget. Browsers cache the script for a minute; this does not. */
async function visit({ url, account_id }: Installation) {
  await get(`${url}/widget.js?token=${account_id}`)
}

/** Requests of opening the chat, before anything is written. */
async function open({ url, account_id }: Installation, parts: string[]) {
  await get(`${url}/chat?token=${account_id}`)
  await Promise.all(parts.map((path) => get(url + path)))
  const answer = await fetch(`${url}/api/widget_settings/metadata`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account_id, metadata: { host: 'shop.test', pathname: '/' } }),
  })
  await answer.arrayBuffer()
}

async function get(address: string) {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  await answer.arrayBuffer()
}

async function openSockets({ server }: Installation): Promise<number> {
  const answer = new Promise<{ sockets: number }>((resolve) =>
    server.once('message', (message) => resolve(message as never)),
  )
  server.send('memory')
  return (await answer).sockets
}

function processorSeconds({ server, postmaster }: Installation): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const ticks = pids.map((pid) => {
    try {
      // After the name in parentheses, which may contain anything: state, parent, … and from 12 to 15 user and system
      // time, then those of ended children.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ')
      const isOurs = Number(pid) === server.pid || Number(pid) === postmaster || Number(fields[1]) === postmaster
      return isOurs ? Number(fields[11]) + Number(fields[12]) : 0
    } catch {
      return 0
    }
  })
  return ticks.reduce((sum, tick) => sum + tick, 0) / TICKS
}
