import pg from 'pg'
import { describe, header, percentile, report } from './figures.ts'
import { HttpLines } from './http-lines.ts'
import { type Installation, install } from './installation.ts'
import { type Pair, pickConversations, post } from './messages.ts'

/**
 * `npm run bench:rules`: what a thousand rules add to the time of posting a message, in turns with none, and how long it
 * takes to try a rule on a large company.
 */
const RULES = 1000
const TURNS = 4
const PER_TURN = 600
const CALLERS = 4
const PAUSE_MS = 40

header('Rules: posting with a thousand rules and without, and trying one')
const installation = await install({ conversations: 100_000, messages: 200_000, customers: 20_000 })
const client = new pg.Client(installation.database)
await client.connect()
try {
  const pairs = await pickConversations(installation, 2_000)
  await createRules(installation)
  await measure(pairs, 200)
  const [without, with_rules]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < TURNS; turn++) {
    await client.query('update rules set is_on = false')
    without.push(...(await measure(pairs, PER_TURN)))
    await client.query('update rules set is_on = true')
    with_rules.push(...(await measure(pairs, PER_TURN)))
  }
  report('without rules', describe(without))
  report(`${RULES} rules`, describe(with_rules))
  const ratio = percentile(with_rules, 0.95) / percentile(without, 0.95)
  report('  p95, with rules to without [ratio ≤ 1.10]', ratio.toFixed(2))
  const { rows } = await client.query('select count(*)::int as runs from rule_events')
  report('  events that the rules looked at', String(rows[0].runs))
  report('trying a rule on 100,000 conversations [≤ 2,000 ms]', describe(await tryRules(installation)))
} finally {
  await client.end()
  await installation.close()
}

/** Rules that look at the text and at the customer; hardly any matches. */
async function createRules({ account_id }: Installation): Promise<void> {
  await client.query(
    `insert into rules (account_id, id, name, position, is_on, trigger, conditions, actions)
     select $1, gen_random_uuid(), 'Rule ' || n, n, true, '{"on": "customer_message"}',
       jsonb_build_array(
         jsonb_build_array(jsonb_build_object('field', 'text', 'operator', 'contains', 'values', jsonb_build_array('refund ' || n, 'return ' || n))),
         jsonb_build_array(jsonb_build_object('field', 'customer_domain', 'operator', 'is', 'values', jsonb_build_array('example' || n || '.com')))),
       '[{"action": "add_note", "body": "Matched"}]'
     from generate_series(1, $2::int) n`,
    [account_id, RULES],
  )
}

/** Milliseconds from sending a customer's message until it is stored. */
async function measure(pairs: Pair[], count: number): Promise<number[]> {
  const lines = new HttpLines(installation.url)
  const times: number[] = []
  const send = async (caller: number) => {
    for (let i = caller; i < count; i += CALLERS) {
      const { id: conversation_id, customer_id } = pairs[i % pairs.length]!
      const started = performance.now()
      await post(lines, installation.token, { conversation_id, customer_id, body: 'Where is my order, please?' })
      times.push(performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => send(caller)))
  lines.close()
  return times
}

async function tryRules({ url, token }: Installation): Promise<number[]> {
  const conditions = [[{ field: 'text', operator: 'contains', values: ['order'] }]]
  const body = JSON.stringify({ rule: { trigger: { on: 'customer_message' }, conditions } })
  const times: number[] = []
  for (let i = 0; i < 10; i++) {
    const started = performance.now()
    const answer = await fetch(`${url}/api/rules/try`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body,
    })
    if (!answer.ok) throw new Error(await answer.text())
    await answer.text()
    times.push(performance.now() - started)
  }
  return times
}
