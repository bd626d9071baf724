import pg from 'pg'
import { describe, header, percentile, report, sample } from './figures.ts'
import { type Installation, install } from './installation.ts'

/** `npm run bench:inbox`: how the inbox's cost changes when it is a hundred times as large. */
const SIZES = [
  { conversations: 1_000, messages: 10_000, customers: 1_000 },
  { conversations: 100_000, messages: 1_000_000, customers: 20_000 },
]

header('Inbox: first page, counters, opening a thread')
const results = new Map<string, number[][]>()
for (const size of SIZES) {
  const installation = await install(size)
  try {
    console.log(
      `${size.conversations.toLocaleString('en')} conversations, ${size.messages.toLocaleString('en')} messages`,
    )
    for (const [name, samples] of Object.entries(await measure(installation))) {
      report(`  ${name}`, describe(samples))
      results.set(name, [...(results.get(name) ?? []), samples])
    }
  } finally {
    await installation.close()
  }
}
console.log('\np95 at the large size against the small one')
for (const [name, [small, large]] of results) {
  report(`  ${name}`, `${(percentile(large!, 0.95) / percentile(small!, 0.95)).toFixed(2)} ×`)
}

async function measure({ url, token, database }: Installation) {
  const get = async (path: string) => {
    const answer = await fetch(url + path, { headers: { authorization: token } })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const long = await lengthenOne(database)
  const { rows } = await query<{ id: string }>(database, 'select id from conversations order by id limit 300')
  const second = ((await get('/api/conversations?status=open&messages=last')) as { next: string }).next
  const tenth = await nthPage(get, 10)
  return {
    'bare round trip (GET /health)': await sample(200, () => get('/health')),
    'first page, all open': await sample(200, () => get('/api/conversations?status=open&messages=last')),
    'first page, unassigned': await sample(200, () => get('/api/conversations?status=open&assignee_id=&messages=last')),
    'first page, unread': await sample(200, () => get('/api/conversations?status=open&read=false&messages=last')),
    'second page': await sample(200, () => get(`/api/conversations?status=open&messages=last&after=${second}`)),
    'tenth page': await sample(200, () => get(`/api/conversations?status=open&messages=last&after=${tenth}`)),
    'unread counters': await sample(200, () => get('/api/conversations/unread')),
    'open a thread': await sample(200, (i) => get(`/api/messages?conversation_id=${rows[i % rows.length]!.id}`)),
    'open a thread of 20,000 messages': await sample(200, () => get(`/api/messages?conversation_id=${long}`)),
    'its middle': await sample(200, () => get(`/api/messages?conversation_id=${long}&before=10000`)),
  }
}

async function nthPage(get: (path: string) => Promise<unknown>, n: number): Promise<string> {
  let after = ''
  for (let i = 1; i < n; i++) {
    const { next } = (await get(`/api/conversations?status=open&messages=last${after && `&after=${after}`}`)) as {
      next: string | null
    }
    if (!next) break
    after = next
  }
  return after
}

/** Makes one conversation 20,000 messages long. */
async function lengthenOne(database: Installation['database']): Promise<string> {
  const { rows } = await query<{ id: string }>(
    database,
    `with one as (select * from conversations where status = 'open' order by id limit 1),
          more as (insert into messages (account_id, id, conversation_id, number, body, customer_id, created_at)
                   select account_id, gen_random_uuid(), id, last_number + n, 'Message ' || n, customer_id, now()
                   from one, generate_series(1, 20000) n)
     update conversations set last_number = last_number + 20000 where id = (select id from one) returning id`,
  )
  await query(database, 'vacuum analyze messages, conversations')
  return rows[0]!.id
}

async function query<Row extends pg.QueryResultRow>(database: Installation['database'], text: string) {
  const client = new pg.Client(database)
  await client.connect()
  return client.query<Row>(text).finally(() => client.end())
}
