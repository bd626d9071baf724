import pg from 'pg'
import type {
  ViewCondition,
  ViewConditions,
  ViewFieldName,
  ViewOperator,
} from '#contract/conversations/view-conditions.ts'
import { describe, header, report, sample } from './figures.ts'
import { type Installation, install } from './installation.ts'

/** `npm run bench:views`: pages and counts of saved views beside the list of open conversations. */
const SIZES = [
  { conversations: 100_000, messages: 300_000, customers: 20_000 },
  { conversations: 300_000, messages: 600_000, customers: 60_000 },
]
const RUNS = 60

const condition = (field: ViewFieldName, operator: ViewOperator, ...values: string[]): ViewCondition[] => [
  { field, operator, values },
]
const attribute = (operator: ViewOperator, ...values: string[]): ViewCondition[] => [
  { field: 'customer_metadata', operator, values, key: 'plan' },
]
const open = condition('status', 'is', 'open')

header('Saved views: pages and counts')
for (const size of process.argv.includes('--large') ? SIZES : SIZES.slice(0, 1)) {
  const installation = await install(size)
  try {
    console.log(`${size.conversations.toLocaleString('en')} conversations`)
    await measure(installation)
  } finally {
    await installation.close()
  }
}

async function measure({ url, token, database }: Installation) {
  const request = async (method: string, path: string, body?: object) => {
    const headers = { authorization: token, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const tag_id = await prepare(database)
  const views: Record<string, ViewConditions> = {
    'open and unassigned': [open, condition('assignee', 'is', 'nobody')],
    'open, of mine or nobody’s, by mail': [
      open,
      condition('assignee', 'is', 'me', 'nobody'),
      condition('channel', 'is', 'email'),
    ],
    'open with a tag of one in a hundred': [open, condition('tags', 'is', tag_id)],
    'open without that tag': [open, condition('tags', 'is_not', tag_id)],
    overdue: [open, condition('overdue', 'is_true')],
    'waiting for us for four hours': [open, condition('waiting_for_team', 'more_than', '240')],
    'a rare subject': [open, condition('subject', 'contains', 'zebra')],
    'a rare word in a message': [open, condition('text', 'contains', 'zebra')],
    'a language of one in a thousand': [open, condition('customer_language', 'is', 'mt')],
    'an attribute of one customer in a thousand': [open, attribute('is', 'gold')],
    'without that attribute': [open, attribute('is_not', 'gold')],
    'nothing at all': [open, condition('channel', 'is', 'sms'), condition('priority', 'is', 'priority')],
  }
  const list = () => request('GET', '/api/conversations?status=open&snoozed=false&messages=last')
  report('  the list of open conversations', describe(await sample(RUNS, list)))
  for (const [name, conditions] of Object.entries(views)) {
    const { data } = (await request('POST', '/api/conversation_views', { view: { name, conditions } })) as {
      data: { id: string }
    }
    const page = () => request('GET', `/api/conversation_views/${data.id}/conversations?messages=last`)
    report(`  ${name}`, describe(await sample(RUNS, page)))
  }
  report('  counts of all twelve', describe(await sample(RUNS, () => request('GET', '/api/conversation_views/counts'))))
  report('  the list of open conversations again', describe(await sample(RUNS, list)))
}

/** Gives some conversations what views look for. Returns the id of a tag. */
async function prepare(database: Installation['database']): Promise<string> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      `insert into tags (account_id, id, name) select id, gen_random_uuid(), 'One in a hundred' from accounts returning id`,
    )
    await client.query(
      `insert into conversation_tags (account_id, conversation_id, tag_id)
       select c.account_id, c.id, $1 from conversations c where abs(hashtext(c.id::text)) % 100 = 0 on conflict do nothing`,
      [rows[0]!.id],
    )
    await client.query(`update conversations set due_at = now() - interval '1 hour' * (abs(hashtext(id::text)) % 50 - 25)
      where status = 'open' and abs(hashtext(id::text)) % 10 = 0`)
    await client.query(
      `update conversations set subject = 'A zebra in the post' where abs(hashtext(id::text)) % 20000 = 0`,
    )
    await client.query(`update messages set body = 'A zebra in the post' where abs(hashtext(id::text)) % 20000 = 0`)
    await client.query(`update customers set browser_language = 'mt' where abs(hashtext(id::text)) % 1000 = 0`)
    await client.query(`update customers set metadata = coalesce(metadata, '{}') || jsonb_build_object('plan',
      case when abs(hashtext(id::text)) % 1000 = 0 then 'Gold' else 'Größe ' || abs(hashtext(id::text)) % 7 end)`)
    await client.query('vacuum analyze')
    return rows[0]!.id
  } finally {
    await client.end()
  }
}
