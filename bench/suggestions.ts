import pg from 'pg'
import { describe, header, report, sample } from './figures.ts'
import { type Installation, install } from './installation.ts'

/** `npm run bench:suggestions`: what is offered above the composer, with 100,000 conversations. */
const SIZE = { conversations: 100_000, messages: 300_000, customers: 20_000 }
const RUNS = 200

header('Suggestions above the composer, beside the list of open conversations')
const installation = await install(SIZE)
try {
  await measure(installation)
} finally {
  await installation.close()
}

async function measure({ url, token, database }: Installation) {
  const get = async (path: string) => {
    const answer = await fetch(url + path, { headers: { authorization: token } })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as { data: { solved: unknown[] } }
  }
  const waiting = await pickWaiting(database)
  report('  conversations in which a customer waits', String(waiting.length))
  report(
    '  the list of open conversations',
    describe(await sample(RUNS, () => get('/api/conversations?status=open&snoozed=false&messages=last'))),
  )
  let solvedCount = 0
  const suggesting = await sample(RUNS, async (i) => {
    const { data } = await get(`/api/conversations/${waiting[i % waiting.length]!}/suggestions`)
    if (data.solved.length > 0) solvedCount++
  })
  report('  suggestions', `${describe(suggesting)}; ${solvedCount} of ${RUNS + 20} with solved conversations`)
}

/** Conversations whose newest message a customer has written, so that there is a question. */
async function pickWaiting(database: Installation['database']): Promise<string[]> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      `select c.id from conversations c join messages m
         on m.account_id = c.account_id and m.conversation_id = c.id and m.number = c.last_number
       where c.status = 'open' and m.customer_id is not null and length(m.body) > 20
       order by md5(c.id::text) limit 400`,
    )
    return rows.map(({ id }) => id)
  } finally {
    await client.end()
  }
}
