import { strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeEach, vi } from 'vitest'
import { apiKeys } from '#contract/api-keys.ts'
import { audit } from '#contract/audit.ts'
import { conversations } from '#contract/conversations.ts'
import { customerProfiles } from '#contract/customer-profiles.ts'
import { erasure } from '#contract/erasure.ts'
import { FUNCTION_STARTERS } from '#contract/function-starters.ts'
import { functions, type Lambda, type LambdaDraft } from '#contract/functions.ts'
import { messages } from '#contract/messages.ts'
import { tags } from '#contract/tags.ts'
import { team } from '#contract/team.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, type Caller, expect } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { startReceiver, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { recoverRuns } from './run-queue.ts'
import { KEPT } from './runs.ts'

const test = base.extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })

const TIMEOUT = { timeout: 30_000, interval: 50 }
const open: WebhookReceiver[] = []
beforeEach<{ server: TestServer }>(({ server }) => {
  // Its port is not known before it listens.
  server.context.config.baseUrl = server.url
})
test.afterEach(async ({ as }) => {
  for (const { id } of withoutBystanders((await as.ada(functions.list)).data))
    await as.ada(functions.remove, { params: { id } })
})
afterAll(() => Promise.all(open.map((one) => one.close())))

const make = async (ada: Caller, code: string, more: Partial<LambdaDraft> = {}) =>
  (await ada(functions.create, { body: { lambda: { name: 'Answer', code, ...more } as LambdaDraft } })).data
const activate = async (ada: Caller, { id }: Pick<Lambda, 'id'>) => {
  await ada(functions.deploy, { params: { id }, body: {} })
  return (await ada(functions.update, { params: { id }, body: { lambda: { status: 'active' } } })).data
}
const start = async (ada: Caller, code: string, more?: Partial<LambdaDraft>) =>
  activate(ada, await make(ada, code, more))
const runsOf = async (ada: Caller, { id }: Pick<Lambda, 'id'>) => (await ada(functions.runs, { params: { id } })).data
const invoke = (ada: Caller, { id }: Pick<Lambda, 'id'>, payload: unknown = {}, is_draft = false) =>
  ada(functions.invoke, { params: { id }, body: { event: 'message:created', payload, is_draft } })
const say = async (server: TestServer, world: World, body: string) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Walker' })
  return { visitor, ...(await startConversation(server, visitor, body)) }
}
const ended = (ada: Caller, one: Pick<Lambda, 'id'>, count = 1) =>
  vi.waitFor(async () => {
    const runs = (await runsOf(ada, one)).filter(({ state }) => state === 'succeeded' || state === 'failed')
    expect(runs.length).toBeGreaterThanOrEqual(count)
    return runs
  }, TIMEOUT)
const upload = async (server: TestServer, token: string, id: string, files: Record<string, string>, fields = {}) => {
  const form = new FormData()
  const zip = zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))
  form.append('file', new Blob([Uint8Array.from(zip)]), 'code.zip')
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  const headers = { authorization: token }
  const answer = await fetch(`${server.url}/api/lambdas/${id}/deploy`, { method: 'POST', body: form, headers })
  return (await answer.json()) as { data: Lambda; error?: { message: string } }
}

test('a function is pending until it is deployed, then inactive, and active when it is switched on', async ({ as }) => {
  const made = await make(as.ada, 'const handler = () => 1', { description: 'Tries it' })
  expect(made).toMatchObject({
    object: 'lambda',
    name: 'Answer',
    description: 'Tries it',
    status: 'pending',
    language: 'javascript',
    runtime: 'nodejs14.x',
    events: ['message:created'],
    last_deployed_at: null,
  })
  const place = { params: { id: made.id } }
  const set = async (status: Lambda['status']) =>
    (await as.ada(functions.update, { ...place, body: { lambda: { status } } })).data.status
  expect(await set('active')).toBe('pending')
  await expect(invoke(as.ada, made)).rejects.toThrow('This function was never deployed.')
  const { data: deployed } = await as.ada(functions.deploy, { ...place, body: {} })
  expect(deployed).toMatchObject({ status: 'inactive', is_changed: false, last_deployed_at: expect.any(String) })
  expect(await set('active')).toBe('active')
  expect((await as.ada(functions.deploy, { ...place, body: {} })).data.status).toBe('active')
  expect(await set('pending')).toBe('active')
  expect(await set('inactive')).toBe('inactive')
  const { data } = await as.ada(audit.list, { query: { action: 'function' } })
  expect(data.filter(({ subject_id }) => subject_id === made.id).map(({ action }) => action)).toEqual([
    'function.deactivated',
    'function.deployed',
    'function.activated',
    'function.deployed',
    'function.created',
  ])
})

test('functions are listed by their last change, and found by what they are called', async ({ as }) => {
  const first = await make(as.ada, '', { name: 'Greeter 100%' })
  await make(as.ada, '', { name: 'Second', description: 'Forwards' })
  await as.ada(functions.update, { params: first, body: { lambda: { code: 'const handler = 1' } } })
  const names = async (query: object) =>
    withoutBystanders((await as.ada(functions.list, { query })).data).map(({ name }) => name)
  expect(await names({})).toEqual(['Greeter 100%', 'Second'])
  expect(await names({ q: 'FORW' })).toEqual(['Second'])
  expect(await names({ q: '0%' })).toEqual(['Greeter 100%'])
  expect(await names({ name: 'Second', status: 'pending' })).toEqual(['Second'])
  expect(await names({ status: 'active' })).toEqual([])
})

test('functions are for admins, and another company finds none of them', async ({ as }) => {
  const { id } = await make(as.ada, '')
  await expect(as.ben(functions.list)).rejects.toThrow('Unauthorized access')
  for (const call of [functions.get, functions.remove, functions.runs] as const)
    await expect(as.olga(call, { params: { id } })).rejects.toThrow('Not found')
  await expect(as.olga(functions.deploy, { params: { id }, body: {} })).rejects.toThrow('Not found')
  await expect(invoke(as.olga, { id })).rejects.toThrow('Not found')
})

test('admins who look on are told that a function ran, without its words, and nobody else is', async ({
  as,
  server,
  world,
}) => {
  const one = await start(as.ada, 'const handler = () => 1')
  const topic = `functions:${world.acme.id}`
  const socket = new TestSocket(server.url, { token: world.ada.token })
  const received = await socket.join(topic)
  for (const token of [world.ben.token, world.olga.token]) {
    const other = new TestSocket(server.url, { token })
    await expect(other.join(topic)).rejects.toThrow()
    other.close()
  }
  await say(server, world, 'For no other ears')
  await ended(as.ada, one)
  expect(await received.receive('functions:ran', ({ function_id }) => function_id === one.id)).toEqual({
    function_id: one.id,
  })
  await invoke(as.ada, one)
  expect(socket.frames.join('\n')).not.toContain('For no other ears')
  socket.close()
})

test('a customer writes, the function answers as before through the client of the predecessor', async ({
  as,
  server,
  world,
}) => {
  const one = await start(
    as.ada,
    `const papercups = require('@papercups-io/papercups')(process.env.PAPERCUPS_API_KEY, {host: 'https://app.papercups.io'})
     async function handler({event, payload}) {
       console.log(event)
       const {conversation_id, body} = payload
       return papercups.messages.create({conversation_id, type: 'bot', body: 'You said: ' + body})
     }`,
  )
  const { conversation_id } = await say(server, world, 'Hello there')
  const [run] = await ended(as.ada, one)
  expect(run).toMatchObject({
    event: 'message:created',
    state: 'succeeded',
    is_test: false,
    logs: [{ level: 'log', text: 'message:created' }],
    result: { body: 'You said: Hello there', type: 'bot', user_id: world.ada.id },
    error: null,
  })
  const said = (await as.ada(messages.list, { query: { conversation_id } })).data.map(({ body }) => body)
  expect(said).toContain('You said: Hello there')
  // Its own answer is no message of a customer.
  expect(await runsOf(as.ada, one)).toHaveLength(1)
  expect((await as.ada(functions.get, { params: one })).data.last_executed_at).not.toBeNull()
})

test('it runs for what it subscribes to, while it is active, and is given the thing itself', async ({
  as,
  server,
  world,
}) => {
  const one = await start(as.ada, 'const handler = ({event, payload}) => [event, payload.object]', {
    events: ['conversation:created', 'conversation:updated'],
  })
  const { conversation_id } = await say(server, world, 'Hi')
  await ended(as.ada, one)
  await as.ada(conversations.update, {
    params: { id: conversation_id },
    body: { conversation: { priority: 'priority' } },
  })
  const runs = await ended(as.ada, one, 2)
  expect(runs.map(({ result }) => result)).toContainEqual(['conversation:created', 'conversation'])
  expect(runs.map(({ result }) => result)).toContainEqual(['conversation:updated', 'conversation'])
  await as.ada(functions.update, { params: one, body: { lambda: { status: 'inactive' } } })
  const before = (await runsOf(as.ada, one)).length
  const other = await start(as.ada, 'const handler = () => 1')
  await say(server, world, 'Again')
  await ended(as.ada, other)
  expect(await runsOf(as.ada, one)).toHaveLength(before)
})

test('what it does in one conversation keeps its order, and what throws is logged and not done again', async ({
  as,
  server,
  world,
}) => {
  const one = await start(
    as.ada,
    `async function handler({payload}) {
       await new Promise((done) => setTimeout(done, payload.body === '1' ? 300 : 1))
       if (payload.body === '2') throw new Error('Two is too much')
       return payload.body
     }`,
  )
  const { visitor, conversation_id } = await say(server, world, '1')
  for (const body of ['2', '3'])
    await as.holder(visitor.token)(messages.create, { body: { message: { conversation_id, body } } })
  const runs = (await ended(as.ada, one, 3)).toReversed()
  expect(runs.map(({ state }) => state)).toEqual(['succeeded', 'failed', 'succeeded'])
  expect(runs.map(({ result }) => result)).toEqual(['1', null, '3'])
  expect(runs[1]?.error?.errorMessage).toBe('Two is too much')
  const starts = runs.map(({ started_at }) => Date.parse(started_at ?? ''))
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
})

test('a try runs the code in the editor or what was deployed, answers at once, and stands among the runs', async ({
  as,
}) => {
  const one = await make(as.ada, 'const handler = ({event, payload}) => ({event, given: payload.n})')
  await as.ada(functions.deploy, { params: one, body: {} })
  const { data: changed } = await as.ada(functions.update, {
    params: one,
    body: { lambda: { code: 'const handler = () => { throw new RangeError("later") }' } },
  })
  expect(changed.is_changed).toBe(true)
  expect((await invoke(as.ada, one, { n: 7 })).data).toEqual({ event: 'message:created', given: 7 })
  const { data, run } = await invoke(as.ada, one, {}, true)
  expect(data).toMatchObject({ errorMessage: 'later', errorType: 'RangeError', trace: expect.any(Array) })
  expect(run).toMatchObject({ state: 'failed', is_test: true, error: data })
  expect((await runsOf(as.ada, one)).map(({ state }) => state)).toEqual(['failed', 'succeeded'])
  expect((await invoke(as.ada, await start(as.ada, 'const handler = () => {}'))).data).toBeNull()
  const odd = await start(as.ada, `const handler = () => ['\\ud800', '\\u0000', '\\\\u0000', {__proto__: null, a: 1}]`)
  await invoke(as.ada, odd)
  expect((await runsOf(as.ada, odd))[0]?.result).toEqual(['\ufffd', '', '\\u0000', { a: 1 }])
})

test('a function has a key of its own that opens what functions need and nothing else', async ({ as, server }) => {
  const one = await start(
    as.ada,
    `const client = require('parley')()
     const refused = (call) => call.then(() => 'done', ({status, message}) => status + ' ' + message)
     const raw = (path, method = 'GET') => fetch(process.env.PARLEY_URL + path, {
       method, headers: {authorization: process.env.PARLEY_API_KEY}}).then(({status}) => status)
     async function handler() {
       const tag = await client.tags.create({name: 'by function'})
       return {me: (await client.me()).email, users: (await client.users.list()).length, tag: tag.name,
         destroyed: await refused(client.tags.destroy(tag.id)), billing: await raw('/api/billing'),
         keys: await raw('/api/personal_api_keys'), hooks: await raw('/api/event_subscriptions'),
         lambdas: await raw('/api/lambdas'), report: await raw('/api/reporting'), export: await raw('/api/customers/export.csv'),
         invite: await raw('/api/user_invitations', 'POST'), key: process.env.PARLEY_API_KEY}
     }`,
  )
  const { data } = (await invoke(as.ada, one)) as { data: Record<string, unknown> }
  expect(data).toMatchObject({
    me: 'ada@acme.test',
    tag: 'by function',
    destroyed: expect.stringContaining('403 Functions cannot do this'),
    billing: 403,
    keys: 403,
    hooks: 403,
    lambdas: 403,
    report: 403,
    export: 403,
    invite: 403,
  })
  expect((await as.ada(apiKeys.list)).data.map(({ label }) => label)).not.toContain('Answer')
  const key = String(data.key)
  await as.holder(key)(tags.list)
  // Each deployment makes a new one, and it ends with the function.
  await as.ada(functions.deploy, { params: one, body: {} })
  await expect(as.holder(key)(tags.list)).rejects.toThrow('Not authenticated')
  const later = String(((await invoke(as.ada, one)) as { data: { key: string } }).data.key)
  await as.ada(functions.remove, { params: one })
  await expect(as.holder(later)(tags.list)).rejects.toThrow('Not authenticated')
  const { rows } = { rows: await server.context.db.selectFrom('personal_api_keys').select('label').execute() }
  expect(rows.map(({ label }) => label)).not.toContain('Answer')
  for (const { id, name } of (await as.ada(tags.list)).data)
    if (name === 'by function') await as.ada(tags.remove, { params: { id } })
})

test('its key stops when whoever deployed it is disabled', async ({ as, world }) => {
  const setRole = (role: string) => as.ada(team.setRole, { params: { id: world.ben.id }, body: { role } })
  await setRole('admin')
  const one = await start(as.ben, `const handler = () => require('parley')().me().catch(({message}) => message)`)
  expect((await invoke(as.ada, one)).data).toMatchObject({ email: 'ben@acme.test' })
  await as.ada(team.disable, { params: { id: world.ben.id } })
  expect((await invoke(as.ada, one)).data).toContain('Your account is disabled')
  await as.ada(team.enable, { params: { id: world.ben.id } })
  await setRole('user')
})

test('the zip of the predecessor’s dashboard is deployed, and its modules can be required', async ({
  as,
  server,
  world,
}) => {
  const { id } = await make(as.ada, '')
  const code = `const {twice} = require('./lib'); function handler({payload}) { return twice(payload.n) }`
  const files = {
    'index.js': `${code}\n;module.exports.handler = handler`,
    'lib/index.js': 'exports.twice = (n) => 2 * n',
    'node_modules/@papercups-io/papercups/index.js': 'throw new Error("The client of the sandbox comes first")',
    'node_modules/native/build/it.node': 'ELF',
    'README.md': 'left out',
  }
  const { data } = await upload(server, world.ada.token, id, files, { name: 'Zipped', code })
  expect(data).toMatchObject({ name: 'Zipped', code, status: 'inactive', is_changed: false })
  expect(data.modules).toEqual([
    'lib/index.js',
    'node_modules/@papercups-io/papercups/index.js',
    'node_modules/native/build/it.node',
  ])
  expect((await invoke(as.ada, { id }, { n: 4 })).data).toBe(8)
  // Code that is changed afterwards keeps the modules.
  await as.ada(functions.update, {
    params: { id },
    body: { lambda: { code: `${code}\nrequire('@papercups-io/papercups')` } },
  })
  await as.ada(functions.deploy, { params: { id }, body: {} })
  expect((await invoke(as.ada, { id }, { n: 5 })).data).toBe(10)
})

test('a zip that is none, has no index.js or too much in it is refused with a reason', async ({
  as,
  server,
  world,
}) => {
  const { id } = await make(as.ada, '')
  const refused = async (files: Record<string, string>) =>
    (await upload(server, world.ada.token, id, files)).error?.message
  expect(await refused({ 'code/index.js': '' })).toBe('There is no index.js at the top of this zip. Put it there.')
  expect(await refused({ 'index.js': '', 'big.js': 'x'.repeat(4_000_001) })).toBe(
    'The code in this zip is larger than 4 MB.',
  )
  const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`${at}.txt`, '']))
  expect(await refused(many)).toBe('This zip has more than 5000 files.')
  const form = new FormData()
  form.append('file', new Blob(['no zip at all']), 'code.zip')
  const sent = await fetch(`${server.url}/api/lambdas/${id}/deploy`, {
    method: 'POST',
    body: form,
    headers: { authorization: world.ada.token },
  })
  expect(sent.status).toBe(422)
  expect(await sent.text()).toContain('This file is no zip that can be read.')
})

test('the predecessor’s dashboard finds the zip to which it adds the code', async ({ server }) => {
  const answer = await fetch(`${server.url}/deps`)
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
  expect(Object.keys(files)).toContain('node_modules/@papercups-io/papercups/index.js')
})

test('requests go to public addresses and those that the operator allows, and no large answer comes in', async ({
  as,
  server,
}) => {
  const receiver = await startReceiver()
  open.push(receiver)
  receiver.answer(({ path }, response) => {
    if (path === '/large') response.end(Buffer.alloc(10_000_000, 'x'))
    else if (path === '/away') response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    else response.setHeader('set-cookie', 'a=b').end('here')
  })
  const one = await start(
    as.ada,
    `const handler = ({payload}) => Promise.all(payload.map((url) =>
       fetch(url, {method: 'POST', body: '{}', headers: {host: 'evil.test', 'x-forwarded-for': '1.1.1.1'}})
         .then(async (r) => r.status + ' ' + await r.text() + r.headers.get('set-cookie'), ({message}) => message)))`,
  )
  const { data } = await invoke(as.ada, one, [
    `${receiver.url}/here`,
    `${receiver.url}/large`,
    `${receiver.url}/away`,
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:10.0.0.1]/',
    'http://2130706433.nip.test/',
    'file:///etc/passwd',
    'http://user:pass@example.com/',
  ])
  const [here, large, ...refused] = data as string[]
  expect(here).toBe('200 herenull')
  expect(receiver.received[0]?.headers).toMatchObject({ host: new URL(receiver.url).host })
  expect(large).toBe('The answer is larger than 1000 kB.')
  for (const message of refused)
    expect(message).toMatch(/private address|cannot be reached|Only http|name or a password/)
  // What is no call of this server is no business of a function’s either, where operators allow no private hosts.
  expect((await invoke(as.ada, one, [`${server.url}/health`])).data).toHaveLength(1)
})

test('only the newest hundred runs are kept, and a queue that grows without end stops growing', async ({
  as,
  server,
  world,
}) => {
  const one = await start(as.ada, 'const handler = () => 1')
  const { db } = server.context
  const row = (state: 'succeeded' | 'queued') => () => ({
    account_id: world.acme.id,
    id: crypto.randomUUID(),
    function_id: one.id,
    event: 'message:created',
    state,
  })
  await db
    .insertInto('function_runs')
    .values(Array.from({ length: 150 }, row('succeeded')))
    .execute()
  await invoke(as.ada, one)
  const runs = await runsOf(as.ada, one)
  expect(runs).toHaveLength(KEPT)
  expect(runs[0]).toMatchObject({ is_test: true })
  const { count } = await db
    .selectFrom('function_runs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('function_id', '=', one.id)
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(KEPT)
})

test('a function never runs for its own change, and functions that answer each other come to an end', async ({
  as,
  server,
  world,
}) => {
  const events: LambdaDraft['events'] = ['customer:updated']
  const rename = `const parley = require('parley')()
    const handler = ({payload: {id}}) => parley.customers.update(id, {name: crypto.randomUUID()})`
  const { visitor } = await say(server, world, 'Round and round')
  const both = [await start(as.ada, rename, { events }), await start(as.ada, rename, { events })]
  await as.ada(customerProfiles.update, {
    params: { id: visitor.customer_id },
    body: { customer: { name: 'Renamed' } },
  })
  const countByDepth = async () => {
    const rows = await server.context.db
      .selectFrom('function_runs')
      .select(['depth', 'state'])
      .where(
        'function_id',
        'in',
        both.map(({ id }) => id),
      )
      .execute()
    expect(rows.map(({ state }) => state)).not.toContain('failed')
    return Object.fromEntries(
      [...Map.groupBy(rows, ({ depth }) => depth)].map(([depth, { length }]) => [depth, length]),
    )
  }
  // Both run for the person; each for what the other did, and once more for what that led to.
  await expect.poll(countByDepth, TIMEOUT).toEqual({ 0: 2, 1: 2, 2: 2 })
  // Of what is done afterwards they run for that alone: nothing of the first was still to come.
  await as.ada(customerProfiles.update, {
    params: { id: visitor.customer_id },
    body: { customer: { name: 'Once more' } },
  })
  await expect.poll(countByDepth, TIMEOUT).toEqual({ 0: 4, 1: 4, 2: 4 })
})

test('events that find a thousand waiting are not run, and a line among the runs counts them', async ({
  as,
  server,
  world,
}) => {
  const one = await start(as.ada, 'const handler = () => 1')
  const conversation_id = crypto.randomUUID()
  const { db } = server.context
  const row = { account_id: world.acme.id, function_id: one.id, event: 'message:created', conversation_id }
  const waiting = Array.from({ length: 1_000 }, () => ({ ...row, id: crypto.randomUUID(), state: 'queued' as const }))
  // One that never ends holds up those behind it.
  const held = { ...row, id: crypto.randomUUID(), state: 'running' as const, leased_until: '2100-01-01T00:00:00Z' }
  await db.insertInto('function_runs').values(held).execute()
  await db.insertInto('function_runs').values(waiting).execute()
  const said = async (count: string) =>
    vi.waitFor(async () => {
      const [newest] = await runsOf(as.ada, one)
      expect(newest).toMatchObject({
        event: 'message:created',
        state: 'failed',
        error: { errorMessage: `${count} not run because 1,000 were waiting.` },
      })
    }, TIMEOUT)
  await say(server, world, 'One too many')
  await said('1 event was')
  await say(server, world, 'Two too many')
  await said('2 events were')
})

test('what old functions require and call is there, and what they may not do says what to do instead', async ({
  as,
}) => {
  const one = await start(
    as.ada,
    `const {Papercups} = {Papercups: require('@papercups-io/papercups')}
     const request = require('superagent')
     const refused = (call) => call.then(() => 'done', ({status, message}) => status + ' ' + message)
     async function handler({payload}) {
       const api = Papercups(process.env.PAPERCUPS_API_KEY)
       const get = await request.get(process.env.PARLEY_URL + '/api/v1/me').set('Authorization', 'Bearer ' + process.env.PARLEY_API_KEY)
       const missing = await request.get(process.env.PARLEY_URL + '/api/v1/nothing').query({a: 1}).catch(({status, response}) => [status, response.status])
       const made = await request.post(process.env.PARLEY_URL + '/api/v1/tags').auth(process.env.PARLEY_API_KEY, {type: 'bearer'}).send({tag: {name: 'by superagent'}})
       return {me: get.body.data.email, ok: get.ok, missing, made: made.body.data.name, status: made.status,
         destroyed: await refused(api.tags.destroy(made.body.data.id))}
     }`,
  )
  const { data } = (await invoke(as.ada, one)) as { data: Record<string, unknown> }
  for (const { id, name } of (await as.ada(tags.list)).data)
    if (name === 'by superagent') await as.ada(tags.remove, { params: { id } })
  expect(data).toEqual({
    me: 'ada@acme.test',
    ok: true,
    missing: [404, 404],
    made: 'by superagent',
    status: 201,
    destroyed:
      '403 Functions cannot do this: their keys read and write messages, customers and what belongs to them, and delete nothing. Call it with a personal API key from a program of your own.',
  })
})

test('a run of a server that died has failed, and what waited behind it goes on', async ({ as, server, world }) => {
  const one = await start(as.ada, 'const handler = ({payload}) => payload.n')
  const conversation_id = crypto.randomUUID()
  const row = { account_id: world.acme.id, function_id: one.id, event: 'message:created', conversation_id }
  const ago = new Date(Date.now() - 1_000).toISOString()
  const { db } = server.context
  for (const more of [{ state: 'running' as const, leased_until: ago }, { payload: '{"n":2}' }])
    await db
      .insertInto('function_runs')
      .values({ ...row, ...more, id: crypto.randomUUID() })
      .execute()
  await recoverRuns(server.context)
  const [second, first] = await ended(as.ada, one, 2)
  expect(first).toMatchObject({ state: 'failed', error: { errorMessage: expect.stringContaining('The server ended') } })
  expect(second).toMatchObject({ state: 'succeeded', result: 2 })
})

test('of a message that was deleted, and a customer who was erased, no run tells any more', async ({
  as,
  server,
  world,
}) => {
  const one = await start(as.ada, 'const handler = ({payload}) => console.log(payload.body)')
  const kept = await say(server, world, 'quince one')
  const gone = await say(server, world, 'quince two')
  await ended(as.ada, one, 2)
  await as.ada(messages.remove, { params: { id: gone.message.id } })
  await vi.waitFor(async () => expect(await runsOf(as.ada, one)).toHaveLength(1), TIMEOUT)
  await as.ada(erasure.erase, { params: { id: kept.visitor.customer_id } })
  await vi.waitFor(async () => expect(JSON.stringify(await runsOf(as.ada, one))).not.toContain('quince'), TIMEOUT)
})

test.each(FUNCTION_STARTERS)('a function may begin with $name, which works', async ({ name, code, events }) => {
  expect(events.length).toBeGreaterThan(0)
  expect(code, name).toContain('async function handler({event, payload})')
})

test('starting points answer, tag and greet', async ({ as, server, world }) => {
  const code = (name: string) => FUNCTION_STARTERS.find((one) => one.name === name)!
  const closed = code('out_of_hours').code.replace('CLOSES = 17', 'CLOSES = 0')
  const one = await start(as.ada, closed)
  const tagger = await start(as.ada, code('tag_by_word').code)
  const greeter = await start(as.ada, code('greet_by_page').code, { events: ['conversation:created'] })
  const visitor = await startVisitor(server, world.acme.id, {
    name: 'Walker',
    current_url: 'https://shop.test/pricing',
  })
  const { conversation_id } = await startConversation(server, visitor, 'Where is my invoice for the delivery?')
  await Promise.all([one, tagger, greeter].map((each) => ended(as.ada, each)))
  const { data } = await as.ada(conversations.get, { params: { id: conversation_id } })
  expect(data.tags.map(({ name }) => name).sort()).toEqual(['billing', 'shipping'])
  const said = data.messages.filter(({ type }) => type === 'bot').map(({ body }) => body)
  expect(said).toContainEqual(expect.stringContaining('Tell us how large your team is'))
  for (const each of [one, tagger, greeter]) expect((await runsOf(as.ada, each))[0]?.error).toBeNull()
})
