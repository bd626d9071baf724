import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { header, percentile, report } from './figures.ts'
import { HttpLines } from './http-lines.ts'
import { type Installation, install } from './installation.ts'
import { post } from './messages.ts'
import { startCosts } from './processes.ts'

/**
 * `npm run bench:throughput`: messages a second over HTTP, alternating with the bare transaction on the same
 * PostgreSQL.
 */
const CALLERS = [1, 16, 64]
const TURNS = 5
const TURN_MS = 4_000
const WARM_UP_MS = 3_000
/** The size of the server's own pool; more would only wait for each other. */
const MAX_CONNECTIONS = 16

header('Posting: messages a second over HTTP beside the bare transaction')
const installation = await install({ conversations: 5_000, messages: 20_000, customers: 5_000 })
try {
  const pairs = await pickConversations(installation)
  for (const callers of CALLERS) {
    const [post, store] = [openCallers(installation, callers), await openStores(installation, callers)]
    await post.run(WARM_UP_MS, pairs)
    await store.run(WARM_UP_MS / 3, pairs)
    const posted: number[] = []
    const bare: number[] = []
    const cost = startCosts([installation.server], installation.postmaster)
    for (let turn = 0; turn < TURNS; turn++) {
      posted.push(await cost.during(() => post.run(TURN_MS, pairs)))
      bare.push(await store.run(TURN_MS, pairs))
    }
    await Promise.all([post.close(), store.close()])
    const [ours, theirs] = [percentile(posted, 0.5), percentile(bare, 0.5)]
    report(
      `${callers} caller${callers > 1 ? 's' : ''} [ratio ≥ 0.5]`,
      `${ours.toFixed(0)} of ${theirs.toFixed(0)} a second: ${(ours / theirs).toFixed(2)}`,
    )
    report('  processor for a message', cost.describe(posted.reduce((sum, rate) => sum + rate * (TURN_MS / 1000), 0)))
  }
} finally {
  await installation.close()
}

interface Pair {
  account_id: string
  id: string
  customer_id: string
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

/** Half of the messages come from customers, half from agents, spread over all conversations. */
function openCallers({ url, token }: Installation, callers: number): Work {
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

/** One row changed, one added, and a commit: the least that any chat has to do. */
async function openStores({ database }: Installation, callers: number): Promise<Work> {
  const clients = Array.from({ length: Math.min(callers, MAX_CONNECTIONS) }, () => new pg.Client(database))
  await Promise.all(clients.map((client) => client.connect()))
  return {
    run: (ms, pairs) =>
      repeat(ms, clients.length, (caller, i) => store(clients[caller]!, pairs[(i * 7919) % pairs.length]!)),
    async close() {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}

async function store(client: pg.Client, { account_id, id, customer_id }: Pair) {
  await client.query('begin')
  const { rows } = await client.query(
    'update conversations set last_number = last_number + 1, last_activity_at = now() where account_id = $1 and id = $2 returning last_number',
    [account_id, id],
  )
  await client.query(
    'insert into messages (account_id, id, conversation_id, number, body, customer_id, created_at) values ($1, $2, $3, $4, $5, $6, now())',
    [account_id, randomUUID(), id, rows[0].last_number, 'bare', customer_id],
  )
  await client.query('commit')
}

async function pickConversations({ database }: Installation): Promise<Pair[]> {
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query<Pair>(
    'select account_id, id, customer_id from conversations order by id limit 2000',
  )
  await client.end()
  return rows
}
