import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { SERVER_POOL, storeBare } from './bare-store.ts'
import { header, percentile, report } from './figures.ts'
import { HttpLines } from './http-lines.ts'
import { type Installation, install } from './installation.ts'
import { type Pair, pickConversations, post } from './messages.ts'
import { startCosts } from './processes.ts'

/**
 * `npm run bench:throughput`: messages a second over HTTP, in turns with the bare transaction on the same PostgreSQL,
 * and with the least server that runs it for its callers.
 */
const CALLERS = [1, 16, 64]
const TURNS = 5
const TURN_MS = 4_000
const WARM_UP_MS = 3_000

header('Posting: messages a second over HTTP beside the bare transaction')
const installation = await install({ conversations: 5_000, messages: 20_000, customers: 5_000 })
const least = await startLeastServer(installation)
try {
  const pairs = await pickConversations(installation, 2_000)
  for (const callers of CALLERS) {
    const ours = openCallers(installation.url, installation.token, callers)
    const others = openCallers(least.url, installation.token, callers)
    const store = await openStores(installation, callers)
    await store.run(WARM_UP_MS, pairs)
    const { cost, ...parley } = await inTurns(ours, store, pairs)
    report(`${callers} caller${callers > 1 ? 's' : ''} [ratio ≥ 0.5]`, parley.text)
    report('  processor for a message', cost)
    report('  the least server', (await inTurns(others, store, pairs)).text)
    await Promise.all([ours, others, store].map((work) => work.close()))
  }
} finally {
  least.close()
  await installation.close()
}

interface Work {
  /** Runs for this many milliseconds; returns messages a second. */
  run(ms: number, pairs: Pair[]): Promise<number>
  close(): Promise<void>
}

async function repeat(ms: number, callers: number, once: (caller: number, i: number) => Promise<void>) {
  const until = performance.now() + ms
  const started = performance.now()
  let done = 0
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (; performance.now() < until; done++) await once(caller, done)
    }),
  )
  return (done / (performance.now() - started)) * 1000
}

/** Measures work and the bare transaction in turns, after a warm-up. */
async function inTurns(work: Work, store: Work, pairs: Pair[]) {
  await work.run(WARM_UP_MS, pairs)
  const cost = startCosts([installation.server], installation.postmaster)
  const rates: number[] = []
  const bareRates: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    rates.push(await cost.during(() => work.run(TURN_MS, pairs)))
    bareRates.push(await store.run(TURN_MS, pairs))
  }
  const [rate, bareRate] = [percentile(rates, 0.5), percentile(bareRates, 0.5)]
  return {
    text: `${rate.toFixed(0)} of ${bareRate.toFixed(0)} a second: ${(rate / bareRate).toFixed(2)}`,
    cost: cost.describe(rates.reduce((sum, value) => sum + value * (TURN_MS / 1000), 0)),
  }
}

/** Half of the messages come from customers, half from agents, spread over all conversations. */
function openCallers(url: string, token: string, callers: number): Work {
  const lines = new HttpLines(url)
  return {
    run: (ms, pairs) =>
      repeat(ms, callers, async (_, i) => {
        const { id, customer_id } = pairs[(i * 7919) % pairs.length]!
        const body = 'Is there one with a taller shade?'
        await post(lines, token, { id: randomUUID(), conversation_id: id, body, ...(i % 2 && { customer_id }) })
      }),
    close: async () => lines.close(),
  }
}

/** The bare transaction on connections of its own; more than the server has would only wait for each other. */
async function openStores({ database }: Installation, callers: number): Promise<Work> {
  const clients = Array.from({ length: Math.min(callers, SERVER_POOL) }, () => new pg.Client(database))
  await Promise.all(clients.map((client) => client.connect()))
  return {
    run: (ms, pairs) =>
      repeat(ms, clients.length, async (caller, i) => {
        const { id: conversation_id, ...pair } = pairs[(i * 7919) % pairs.length]!
        await storeBare(clients[caller]!, { ...pair, conversation_id, id: randomUUID(), body: 'bare' })
      }),
    async close() {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}

async function startLeastServer({ databaseUrl }: Installation) {
  const server = fork(new URL('./least-server.ts', import.meta.url), {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  })
  const url = await new Promise<string>((resolve) => server.once('message', (message) => resolve(String(message))))
  return { url, close: () => void server.kill() }
}
