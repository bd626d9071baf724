import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ENGLISH } from '../bin/seed/texts/chats.ts'
import { VIETNAMESE } from '../bin/seed/texts/chats-vi.ts'
import { describe, header, percentile, ratio, report, sample, time } from './figures.ts'
import { type Installation, install } from './installation.ts'
import { type Pair, pickConversations } from './messages.ts'

/** `npm run bench:search`: searching over HTTP while messages are written, compared to a plain scan of the bodies. */
const SIZES = [
  { conversations: 1_000, messages: 10_000, customers: 1_000 },
  { conversations: 100_000, messages: 1_000_000, customers: 20_000 },
]
const WRITES_PER_SECOND = 100
const SEARCHES = 200
const SCANS = 3

/** Searches of one kind take turns. `scan` is the plain text for comparison. */
const KINDS: Record<string, { searches: string[]; scan: string }> = {
  'nothing has it': { searches: ['xylophone', 'zq', 'flickers portugal', '"the you"'], scan: 'xylophone' },
  'rare word': { searches: ['LO-20417', 'LO-23120', '25999', 'LO-2777'], scan: 'LO-20417' },
  'middling word': { searches: ['photographer', 'rotterdam', 'legrand', 'orchard'], scan: 'photographer' },
  'very common word': { searches: ['the', 'is', 'shop', 'a'], scan: 'the' },
  'two letters': { searches: ['ca', 'th', 'qu', 'fi', 'mu', 'da'], scan: ' ca' },
  'several words': { searches: ['bank reservation', 'scratch warehouse', 'in the box', 'thẻ lỗi'], scan: 'scratch' },
  Vietnamese: { searches: ['đơn hàng', 'mien phi', 'HOÁ ĐƠN', 'thu duc'], scan: 'đơn hàng' },
  phrase: { searches: ['"two working days"', '"the bank"', '"on its way"', '"cảm ơn shop"'], scan: 'two working days' },
  'name or e-mail': { searches: ['nguyen minh', 'whitfield', 'greta.lindner18@', 'am'], scan: 'Whitfield' },
  'tag on 50 conversations': { searches: ['tag:vip', 'tag:vip the', 'tag:vip refund'], scan: 'the' },
  'tag on 5 % of them': { searches: ['tag:season', 'tag:season the', 'tag:season photographer'], scan: 'the' },
  'who and where': {
    searches: ['from:me invoice', 'from:greta lamp', 'inbox:returns status:open bank', 'assignee:nobody shop'],
    scan: 'invoice',
  },
  'between two days': {
    searches: [`after:${day(20)} before:${day(10)} portugal`, `before:${day(30)} the`],
    scan: 'Portugal',
  },
}

/** Texts to write meanwhile: the lines of the seeded company without their speaker. */
const SAID = [...ENGLISH, ...VIETNAMESE].flatMap(({ lines }) => lines).map((line) => line.slice(2))

header(`Search over HTTP, while ${WRITES_PER_SECOND} messages a second are written`)
const p95 = new Map<string, number[]>()
for (const size of SIZES) {
  const installation = await install(size)
  try {
    console.log(`${size.messages.toLocaleString('en')} messages in one account`)
    for (const [name, samples] of await measure(installation))
      p95.set(name, [...(p95.get(name) ?? []), percentile(samples, 0.95)])
  } finally {
    await installation.close()
  }
}
console.log('\np95 at the large size against the small one')
for (const [name, [small, large]] of p95) report(`  ${name}`, `${(large! / small!).toFixed(2)} ×`)

async function measure(installation: Installation) {
  const { url, token, database } = installation
  const client = new pg.Client(database)
  await client.connect()
  await tagSome(client)
  await comparePosting(installation, client)
  const writing = writeContinuously(installation, await pickConversations(installation, 1_000))
  const results: [string, number[]][] = []
  report('  (scan: body ILIKE, newest first, in SQL)', '')
  for (const [name, { searches, scan }] of Object.entries(KINDS)) {
    let short = 0
    const samples = await sample(SEARCHES, async (i) => {
      const answer = await get(url, token, `/api/search?q=${encodeURIComponent(searches[i % searches.length]!)}`)
      if (answer.next && answer.data.length < 15) short++
    })
    const scans = await sampleScans(client, scan)
    const times = (percentile(scans, 0.5) / percentile(samples, 0.5)).toFixed(0)
    const notice = short > 0 ? `, ${short} pages cut short` : ''
    report(`  ${name}`, `${describe(samples)}; scan p50 ${percentile(scans, 0.5).toFixed(0)} ms, ${times} ×${notice}`)
    results.push([name, samples])
  }
  const pages = await sampleDeepPages(url, token)
  report('  pages 2 to 41 of a common word', describe(pages))
  report(`  posting meanwhile (${WRITES_PER_SECOND}/s)`, describe(await writing.stop()))
  await client.end()
  return [...results, ['deep pages', pages] as [string, number[]]]
}

interface Page {
  data: unknown[]
  next: string | null
}

async function get(url: string, token: string, path: string): Promise<Page> {
  const answer = await fetch(url + path, { headers: { authorization: token } })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return answer.json() as Promise<Page>
}

async function sampleDeepPages(url: string, token: string): Promise<number[]> {
  let after = (await get(url, token, '/api/search?q=thank')).next
  const samples: number[] = []
  while (after && samples.length < 40) {
    samples.push(await time(async () => (after = (await get(url, token, `/api/search?q=thank&after=${after}`)).next)))
  }
  return samples
}

async function sampleScans(client: pg.Client, text: string): Promise<number[]> {
  const samples: number[] = []
  for (let i = 0; i < SCANS; i++) {
    const scan = 'select id from messages where body ilike $1 order by created_at desc limit 20'
    samples.push(await time(() => client.query(scan, [`%${text}%`])))
  }
  return samples
}

async function tagSome(client: pg.Client) {
  for (const [name, share] of [
    ['VIP', 'limit 50'],
    ['Season', "where left(id::text, 2) < '0d'"],
  ] as const) {
    await client.query(
      `with tag as (insert into tags (account_id, id, name) select id, gen_random_uuid(), $1 from accounts limit 1 returning *)
       insert into conversation_tags (account_id, conversation_id, tag_id)
       select c.account_id, c.id, tag.id from tag, lateral (select * from conversations ${share}) c`,
      [name],
    )
  }
  await client.query('analyze conversation_tags')
}

async function post({ url, token }: Installation, conversations: Pair[], i: number) {
  const { id, customer_id } = conversations[(i * 7919) % conversations.length]!
  const message = {
    id: randomUUID(),
    conversation_id: id,
    body: `${SAID[(i * 31) % SAID.length]} ${i}`,
    ...(i % 2 && { customer_id }),
  }
  const answer = await fetch(`${url}/api/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token },
    body: JSON.stringify({ message }),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
  await answer.arrayBuffer()
}

/** The index's cost per message: messages are posted in turns of a hundred, with and without it. */
async function comparePosting(installation: Installation, client: pg.Client) {
  const conversations = await pickConversations(installation, 1_000)
  const times: Record<'without' | 'with', number[]> = { without: [], with: [] }
  for (let round = 0; round < 10; round++) {
    const kind = round % 2 ? 'with' : 'without'
    await client.query(`alter table messages ${round % 2 ? 'enable' : 'disable'} trigger add_message_words`)
    times[kind].push(...(await sample(100, (i) => post(installation, conversations, i))))
  }
  report('  posting alone, without search', describe(times.without))
  report('  posting alone, with search', `${describe(times.with)}; ${ratio(times.with, times.without)}`)
}

/** Writes at an even pace until stopped; returns how long each message took. */
function writeContinuously(installation: Installation, conversations: Pair[]) {
  let isStopped = false
  const samples: number[] = []
  const begun = performance.now()
  const posted: Promise<unknown>[] = []
  const writing = (async () => {
    for (let i = 0; !isStopped; i++) {
      const wait = begun + (i * 1000) / WRITES_PER_SECOND - performance.now()
      if (wait > 1) await sleep(wait)
      posted.push(time(() => post(installation, conversations, i)).then((ms) => samples.push(ms)))
    }
  })()
  return {
    async stop() {
      isStopped = true
      await writing
      await Promise.all(posted)
      return samples
    },
  }
}

/** The day this many days ago, such as `2026-11-21`. */
function day(ago: number): string {
  return new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
}
