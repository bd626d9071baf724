import pg from 'pg'
import { describe, header, percentile, report, sample, time } from './figures.ts'
import { type Installation, install } from './installation.ts'

/** `npm run bench:reporting`: a year's report over HTTP, beside the plain query that counts the messages themselves. */
const SIZES = [
  { conversations: 1_000, messages: 10_000, customers: 1_000 },
  { conversations: 100_000, messages: 1_000_000, customers: 20_000 },
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

async function measure({ url, token, account_id, database }: Installation) {
  const client = new pg.Client({ ...database, query_timeout: 0 })
  // Ends with its database when a measurement fails, which is told of by itself.
  client.on('error', () => undefined)
  await client.connect()
  await spreadOverAYear(client)
  report('  counting everything again', `${((await time(() => recount(client))) / 1000).toFixed(1)} s`)
  const { rows } = await client.query('select count(*)::int as rows from message_counts')
  report('  rows of counts', rows[0].rows.toLocaleString('en'))
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
    ...(tags[0] && { 'with the commonest tag': { tag_id: tags[0].id } }),
  }
  for (const [name, filters] of Object.entries(kinds)) {
    const samples = await sample(REPORTS, () => ask(url, token, { ...year(), ...filters, lists: 'false' }))
    report(`  ${name} [p95 ≤ 300 ms]`, describe(samples))
  }
  const month = await sample(REPORTS, () => ask(url, token, { ...days(30), lists: 'false' }))
  report('  the last thirty days', describe(month))
  const plain: number[] = []
  for (let i = 0; i < PLAIN; i++) plain.push(await time(() => countMessages(client, account_id)))
  report('  (the plain query: messages by day and author)', `p50 ${percentile(plain, 0.5).toFixed(0)} ms`)
  await client.end()
}

/** What the seed writes within some weeks. */
async function spreadOverAYear(client: pg.Client) {
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

/** As the migration does for what was there before. */
async function recount(client: pg.Client) {
  await client.query('truncate message_counts')
  await client.query('insert into reporting_time_zones select id, $1 from accounts on conflict do nothing', ['UTC'])
  await client.query(`
    insert into message_counts
    select account_id, local::date, extract(hour from local), conversation_id,
           coalesce(user_id, case when customer_id is null then -1 else 0 end), count(*)
    from messages, lateral (select created_at at time zone 'UTC' as local) as clock group by 1, 2, 3, 4, 5`)
  await client.query('vacuum analyze message_counts')
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

async function ask(url: string, token: string, query: Record<string, string>) {
  const answer = await fetch(`${url}/api/reporting?${new URLSearchParams(query)}`, {
    headers: { authorization: token },
  })
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`)
  await answer.arrayBuffer()
}
