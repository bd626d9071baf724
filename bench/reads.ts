import { fork } from 'node:child_process'
import pg from 'pg'
import { header, percentile, report } from './figures.ts'
import { HttpLines } from './http-lines.ts'
import { type Installation, install } from './installation.ts'
import type { LEAST_READS } from './least-statements.ts'
import { countStatements, startCosts } from './processes.ts'

/**
 * `npm run bench:reads [-- --small] [-- --quick]`: reads over HTTP, in turns with the least server that answers the same
 * by one prepared statement. `--small` is a company of 60 conversations, beside a bare `GET /health`.
 */
const isSmall = process.argv.includes('--small')
const isQuick = process.argv.includes('--quick')
const LARGE = { conversations: 30_000, messages: 300_000, customers: 20_000 }
const QUICK = { conversations: 3_000, messages: 30_000, customers: 2_000 }
const SMALL = { conversations: 60, messages: 600, customers: 60 }
const CALLERS = [1, 16]
const TURNS = isQuick ? 2 : 4
const TURN_MS = isQuick ? 500 : 1_000
const THREAD = 30
const OPEN = '/api/conversations?status=open&snoozed=false&messages=last'

interface Read {
  /** Paths of Parley, asked for one after the other. */
  paths: string[]
  /** The same at the least server; without one, the read is the baseline. */
  least?: { name: keyof typeof LEAST_READS; values: string[] }
  /** Of a small company: at most this many times as long as a bare round trip. */
  bound?: number
}

header('Reads: calls a second over HTTP beside the least server')
const installation = await install(isSmall ? SMALL : isQuick ? QUICK : LARGE)
const least = await startLeastServer(installation)
const client = new pg.Client(installation.database)
await client.connect()
const parley = new HttpLines(installation.url)
const other = new HttpLines(least.url)
try {
  const reads = await prepareReads()
  await client.query('vacuum analyze')
  const bare = await measure({ paths: ['/health'] }, 1)
  report('GET /health, 1 caller', `p50 ${bare.p50.toFixed(2)} ms`)
  for (const [name, read] of Object.entries(reads)) {
    for (const callers of isSmall ? [1] : CALLERS) {
      const measured = await measure(read, callers)
      const toBare = read.bound ? `, ${(measured.p50 / bare.p50).toFixed(1)} × /health [≤ ${read.bound}]` : ''
      report(`${name}, ${callers} caller${callers > 1 ? 's' : ''}`, `${measured.text}${isSmall ? toBare : ''}`)
      if (callers === 1) report('', measured.cost)
    }
  }
} finally {
  parley.close()
  other.close()
  await client.end()
  least.close()
  await installation.close()
}

async function prepareReads(): Promise<Record<string, Read>> {
  const threads = await lengthen(Math.min(200, SMALL.conversations / 2))
  const customers = await column('select id from customers where merged_into is null order by id limit 200')
  const tenth = isSmall ? undefined : await nthPage(10)
  const search = (name: 'searchMany' | 'searchFew', words: string[], bound: number): Read => ({
    paths: words.map((word) => `/api/search?q=${word}`),
    least: { name, values: words },
    bound,
  })
  return {
    [`open a conversation of ${THREAD}`]: {
      paths: threads.map((id) => `/api/messages?conversation_id=${id}&limit=50`),
      least: { name: 'open', values: threads },
      bound: 2.5,
    },
    'first page': { paths: [OPEN], least: { name: 'list', values: [''] }, bound: 5 },
    ...(tenth && {
      'tenth page': {
        paths: [`${OPEN}&after=${tenth}`],
        least: { name: 'listAfter', values: [Buffer.from(tenth, 'base64url').toString()] },
      },
    }),
    'search, common word': search('searchMany', ['the', 'shop'], 5),
    'search, medium word': search('searchFew', ['photographer', 'rotterdam'], 5),
    'search, no match': search('searchFew', ['xylophone', 'zugzwang'], 2.5),
    "a customer's page": {
      paths: customers.map((id) => `/api/customers/${id}?expand=company,tags,notes,issues,merge`),
      least: { name: 'customer', values: customers },
      bound: 5,
    },
    'unread counters': { paths: ['/api/conversations/unread'], least: { name: 'unread', values: [''] }, bound: 5 },
  }
}

/** Measures Parley and the least server in turns, after a warm-up of both. */
async function measure({ paths, least: beside }: Read, callers: number) {
  const read = (i: number) => parley.request('GET', paths[i % paths.length]!, installation.token)
  const values = beside?.values ?? []
  const readLeast = (i: number) =>
    other.request('GET', `/${beside?.name}?value=${encodeURIComponent(values[i % values.length]!)}`, installation.token)
  await repeat(TURN_MS, callers, read)
  if (beside) await repeat(TURN_MS, callers, readLeast)
  const counting = await countStatements(installation.server, () => read(1))
  const cost = startCosts([installation.server], installation.postmaster)
  const leastCost = startCosts([least.server], installation.postmaster)
  const [ours, theirs]: [number[][], number[][]] = [[], []]
  for (let turn = 0; turn < TURNS; turn++) {
    ours.push(await cost.during(() => repeat(TURN_MS, callers, read)))
    if (beside) theirs.push(await leastCost.during(() => repeat(TURN_MS, callers, readLeast)))
  }
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(ours.flat(), share)) as [number, number]
  const ratio = percentile(ours.map(rateOf), 0.5) / percentile(theirs.map(rateOf), 0.5)
  const leastP50 = percentile(theirs.flat(), 0.5).toFixed(2)
  return {
    p50,
    text: `${ratio.toFixed(2)} [≥ 0.5]; p50 ${p50.toFixed(2)} (least ${leastP50})  p99 ${p99.toFixed(2)} ms`,
    cost: `${counting}; ${cost.describe(ours.flat().length)}; least: ${leastCost.describe(theirs.flat().length)}`,
  }
}

/** How long each call took, in milliseconds. */
async function repeat(ms: number, callers: number, once: (i: number) => Promise<unknown>): Promise<number[]> {
  const until = performance.now() + ms
  const times: number[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) {
        const started = performance.now()
        await once(next++)
        times.push(performance.now() - started)
      }
    }),
  )
  return times
}

/** Turns have the same length, so the number of calls is the rate. */
function rateOf(times: number[]): number {
  return times.length
}

/** Makes some conversations as long as threads usually are, and returns their ids. */
async function lengthen(count: number): Promise<string[]> {
  return column(`
    with wanted as (select * from conversations where status = 'open' and last_number < ${THREAD} order by id limit ${count}),
      more as (insert into messages (account_id, id, conversation_id, number, body, customer_id, created_at)
        select account_id, gen_random_uuid(), id, n, 'Message ' || n, customer_id, now()
        from wanted, generate_series(last_number + 1, ${THREAD}) n)
    update conversations set last_number = ${THREAD} where id in (select id from wanted) returning id`)
}

async function column(text: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(text)
  return rows.map(({ id }) => id)
}

/** The cursor of a page, counted from 1. */
async function nthPage(n: number): Promise<string> {
  let after = ''
  for (let page = 1; page < n; page++) {
    const text = await parley.request('GET', `${OPEN}${after && `&after=${after}`}`, installation.token)
    after = (JSON.parse(text) as { next: string }).next
  }
  return after
}

async function startLeastServer({ databaseUrl }: Installation) {
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const server = fork(new URL('./least-reads.ts', import.meta.url), { env })
  const url = await new Promise<string>((resolve) => server.once('message', (message) => resolve(String(message))))
  return { url, server, close: () => void server.kill() }
}
