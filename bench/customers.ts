import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, header, percentile, ratio, report, sample, time } from './figures.ts'
import { type Installation, install } from './installation.ts'

/** `npm run bench:customers`: the list of customers in a small and in a large account, and an import of the largest file. */
const SIZES = [1_000, 200_000]
const ASKED = 100
const IMPORTED = 50_000
const GIVE_UP_MS = 150_000

const QUESTIONS: Record<string, string[]> = {
  'first page': [''],
  'page 5': ['page=5'],
  'without anonymous': ['include_anonymous=false'],
  'with a tag': ['tag_ids={twentieth}'],
  'page 5 of a tag': ['tag_ids={twentieth}&page=5'],
  'a tag, without anonymous': ['tag_ids={twentieth}&include_anonymous=false'],
  'a tag of those who came long ago': ['tag_ids={long ago}'],
  'a tag that ten have': ['tag_ids={ten}'],
  'two tags': ['tag_ids={twentieth},{long ago}', 'tag_ids={long ago},{ten}'],
  'rare name': ['q=person77', 'q=person512', 'q=person998@'],
  'name that a hundredth has': ['q=harbour', 'q=orchard', 'q=lantern'],
  'two words': ['q=harbour+person7', 'q=orchard+person12'],
  'tag and word': ['tag_ids={twentieth}&q=harbour'],
  'tag and a word that nearly all have': ['tag_ids={twentieth}&q=person', 'tag_ids={ten}&q=person'],
  'all tags and their counts': ['{tags}'],
}

/** Tags by name, each with an SQL condition for its customers. `place` 1 is the customer seen last. */
const TAGS: Record<string, string> = {
  twentieth: `left(listed.id::text, 2) < '0d'`,
  'long ago': 'place > size * 0.95',
  ten: 'place % (size / 10) = 7',
}

header('The list of customers over HTTP')
const measured = new Map<string, number[][]>()
for (const size of SIZES) {
  const installation = await install({ conversations: 50, messages: 200 })
  try {
    await fill(installation, size)
    console.log(`${size.toLocaleString('en')} customers in one account`)
    await measure(installation)
    if (size === SIZES.at(-1)) await importFile(installation)
  } finally {
    await installation.close()
  }
}
console.log(`\n${SIZES.at(-1)?.toLocaleString('en')} customers against ${SIZES[0]?.toLocaleString('en')}`)
for (const [name, [small, large]] of measured) report(`  ${name}`, ratio(large!, small!))

/** Every tenth is anonymous, every hundredth has a rare word. */
async function fill({ database, account_id }: Installation, size: number) {
  const client = new pg.Client(database)
  await client.connect()
  await client.query(
    `insert into customers (account_id, id, name, email, last_seen_at)
     select $1, gen_random_uuid(),
       case when n % 10 > 0 then (array['Harbour', 'Orchard', 'Lantern', 'Mina', 'Tom'])[
         case when n % 100 < 3 then n % 100 + 1 else 4 + n % 2 end] || ' Person' || n end,
       case when n % 10 > 0 then 'person' || n || '@customer.test' end,
       now() - n * interval '1 minute'
     from generate_series(1, $2::int) n`,
    [account_id, size],
  )
  for (const [name, who] of Object.entries(TAGS)) {
    await client.query(
      `with tag as (insert into tags (account_id, id, name) values ($1, gen_random_uuid(), $2) returning *),
            listed as (select id, row_number() over (order by last_seen_at desc) as place, count(*) over () as size
                       from customers where account_id = $1)
       insert into customer_tags (account_id, customer_id, tag_id)
       select tag.account_id, listed.id, tag.id from tag, listed where ${who}`,
      [account_id, name],
    )
  }
  await client.query('analyze customers')
  await client.query('analyze customer_tags')
  await client.end()
}

async function measure(installation: Installation) {
  const tags = (await postJson(installation, '/api/tags')) as { data: { id: string; name: string }[] }
  const addressOf = (query: string) => {
    if (query === '{tags}') return '/api/tags?counts=true'
    const filled = query.replace(/\{(.+?)\}/g, (_, called) => tags.data.find(({ name }) => name === called)?.id ?? '')
    return `/api/customers?${filled}`
  }
  for (const [name, queries] of Object.entries(QUESTIONS)) {
    const samples = await sample(ASKED, (i) => postJson(installation, addressOf(queries[i % queries.length]!)))
    report(`  ${name}`, describe(samples))
    measured.set(name, [...(measured.get(name) ?? []), samples])
  }
}

/** Imports a file while the list is requested repeatedly, as by somebody who watches it. */
async function importFile(installation: Installation) {
  const rows = Array.from({ length: IMPORTED }, (_, n) => `New Person${n},new${n}@import.test,+4912345${n}`)
  const content = ['name,email,phone', ...rows].join('\n')
  const upload = { content, filename: 'bench.csv' }
  const { data } = (await postJson(installation, '/api/customers/import', upload)) as { data: { id: string } }
  const meanwhile: number[] = []
  const started = performance.now()
  await postJson(installation, `/api/customer_imports/${data.id}/start`, { mapping: ['name', 'email', 'phone'] })
  for (;;) {
    const now = (await postJson(installation, `/api/customer_imports/${data.id}`)) as {
      data: { status: string; rows_done: number; created_count: number }
    }
    const elapsed = performance.now() - started
    if (now.data.status === 'done' || elapsed > GIVE_UP_MS) {
      const rate = Math.round(now.data.rows_done / (elapsed / 1000)).toLocaleString('en')
      report('  import', `${now.data.rows_done} rows in ${(elapsed / 1000).toFixed(1)} s, ${rate} rows a second`)
      report('  first page meanwhile', `p95 ${percentile(meanwhile, 0.95).toFixed(1)} ms (n = ${meanwhile.length})`)
      return
    }
    meanwhile.push(await time(() => postJson(installation, '/api/customers')))
    await sleep(200)
  }
}

async function postJson({ url, token }: Installation, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return answer.json()
}
