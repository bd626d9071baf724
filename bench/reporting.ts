import pg from 'pg'
import pino from 'pino'
import { recountAccount } from '#server/features/conversations/reporting/counting.ts'
import { connect } from '#server/platform/db/connection.ts'
import { describe, header, percentile, report, sample, time } from './figures.ts'
import { type Installation, install } from './installation.ts'

/**
 * `npm run bench:reporting`: a year's report over HTTP, compared to a plain query that counts the messages themselves.
 * With `--large` also on an account three times as large.
 */
const SIZES = [
  { conversations: 1_000, messages: 10_000, customers: 1_000 },
  { conversations: 100_000, messages: 1_000_000, customers: 20_000 },
  ...(process.argv.includes('--large') ? [{ conversations: 300_000, messages: 3_000_000, customers: 60_000 }] : []),
]
const REPORTS = 40
const PLAIN = 5

header('A year’s report')
for (const size of SIZES) {
  const installation = await install(size)
  try {
    console.log(`${size.messages.toLocaleString('en')} messages in one account within a year`)
    await measure(installation)
  } finally {
    await installation.close()
  }
}

async function measure(installation: Installation) {
  const { url, token, account_id, database } = installation
  const client = new pg.Client({ ...database, query_timeout: 0 })
  // Its connection breaks when a failed measurement stops the database; that failure is reported by itself.
  client.on('error', () => undefined)
  await client.connect()
  await spreadOverAYear(client)
  report('  counting everything again', `${((await time(() => recount(installation, client))) / 1000).toFixed(1)} s`)
  const { rows: sizes } = await client.query(
    "select count(*)::int as rows, pg_total_relation_size('message_counts')::int8 / 1e6 as megabytes from message_counts",
  )
  report('  message_counts', `${sizes[0].rows.toLocaleString('en')} rows, ${Number(sizes[0].megabytes).toFixed(0)} MB`)
  const { rows: users } = await client.query(
    'select assignee_id as id from conversations where assignee_id is not null limit 1',
  )
  const { rows: tags } = await client.query(
    'select tag_id as id from conversation_tags group by 1 order by count(*) desc limit 1',
  )
  const kinds: Record<string, Record<string, string>> = {
    everything: {},
    'of one assignee': { assignee_id: String(users[0]?.id) },
    'within working hours': { working_hours: 'true' },
    'of one assignee and source': { assignee_id: String(users[0]?.id), source: 'chat' },
    ...(tags[0] && { 'with the commonest tag': { tag_id: tags[0].id } }),
  }
  for (const [name, filters] of Object.entries(kinds)) {
    const samples = await sample(REPORTS, () => fetchReport(url, token, { ...year(), ...filters, lists: 'false' }))
    report(`  ${name} [p95 ≤ 600 ms]`, describe(samples))
  }
  const month = await sample(REPORTS, () => fetchReport(url, token, { ...days(30), lists: 'false' }))
  report('  the last thirty days', describe(month))
  const plain: number[] = []
  for (let i = 0; i < PLAIN; i++) plain.push(await time(() => countMessages(client, account_id)))
  report('  (the plain query: messages by day and author)', `p50 ${percentile(plain, 0.5).toFixed(0)} ms`)
  await client.end()
}

/** Spreads the seeded conversations, which span some weeks, over a year. */
async function spreadOverAYear(client: pg.Client) {
  // Otherwise the server would start counting by itself in the middle of this.
  await client.query('insert into reporting_time_zones (account_id, time_zone) select id, time_zone from accounts')
  await client.query('alter table messages disable trigger user')
  await client.query(`
    create temporary table shifts as
    select account_id, id, (abs(hashtext(id::text)) % 364) * interval '1 day' - (now() - created_at) as shift from conversations`)
  await client.query(`
    update messages m set created_at = m.created_at - s.shift
    from shifts s where s.account_id = m.account_id and s.id = m.conversation_id`)
  await client.query('alter table messages enable trigger user')
  await client.query(`
    update conversations c set created_at = c.created_at - s.shift, first_replied_at = c.first_replied_at - s.shift,
      closed_at = c.closed_at - s.shift
    from shifts s where s.account_id = c.account_id and s.id = c.id`)
  await client.query('vacuum analyze')
}

/** Uses the code of `npm run parley -- recount`. */
async function recount({ database, account_id }: Installation, client: pg.Client) {
  const connection = connect(database, pino({ level: 'silent' }), undefined, { name: 'bench' })
  await recountAccount(connection.kysely, account_id)
  await connection.end()
  await client.query('vacuum analyze')
}

function countMessages(client: pg.Client, account_id: string) {
  return client.query(
    `select created_at::date as day, user_id, count(*) from messages
     where account_id = $1 and created_at > now() - interval '1 year' group by 1, 2`,
    [account_id],
  )
}

function year() {
  return days(365)
}

function days(count: number) {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  return { from_date: day(count), to_date: day(0) }
}

async function fetchReport(url: string, token: string, query: Record<string, string>) {
  const answer = await fetch(`${url}/api/reporting?${new URLSearchParams(query)}`, {
    headers: { authorization: token },
  })
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`)
  await answer.arrayBuffer()
}
