import { unzipSync } from 'fflate'
import { afterAll } from 'vitest'
import { team } from '#contract/accounts/team.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { tags } from '#contract/customers/tags.ts'
import { apiKeys } from '#contract/developers/api-keys.ts'
import { FUNCTION_STARTERS } from '#contract/developers/function-starters.ts'
import { functions } from '#contract/developers/functions.ts'
import { expect } from '#tests/support/fixture.ts'
import {
  endedRuns,
  invokeFunction,
  makeFunction,
  runsOf,
  startFunction,
  test,
  uploadZip,
  writeAsVisitor,
} from '#tests/support/functions.ts'
import { startReceiver, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const open: WebhookReceiver[] = []
afterAll(() => Promise.all(open.map((receiver) => receiver.close())))

test('a customer writes, the function answers as before through the client of Papercups', async ({
  as,
  server,
  world,
}) => {
  const lambda = await startFunction(
    as.ada,
    `const papercups = require('@papercups-io/papercups')(process.env.PAPERCUPS_API_KEY, {host: 'https://app.papercups.io'})
     async function handler({event, payload}) {
       console.log(event)
       const {conversation_id, body} = payload
       return papercups.messages.create({conversation_id, type: 'bot', body: 'You said: ' + body})
     }`,
  )
  const { conversation_id } = await writeAsVisitor(server, world, 'Hello there')
  const [run] = await endedRuns(as.ada, lambda)
  expect(run).toMatchObject({
    event: 'message:created',
    state: 'succeeded',
    is_test: false,
    logs: [{ level: 'log', text: 'message:created' }],
    result: { body: 'You said: Hello there', type: 'bot', user_id: world.ada.id },
    error: null,
  })
  const bodies = (await as.ada(messages.list, { query: { conversation_id } })).data.map(({ body }) => body)
  expect(bodies).toContain('You said: Hello there')
  // The function's own reply is no message of a customer.
  expect(await runsOf(as.ada, lambda)).toHaveLength(1)
  expect((await as.ada(functions.get, { params: lambda })).data.last_executed_at).not.toBeNull()
})

test('a function has its own key, limited to the calls functions need', async ({ as, server }) => {
  const lambda = await startFunction(
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
  const { data } = (await invokeFunction(as.ada, lambda)) as { data: Record<string, unknown> }
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
  // Each deployment creates a new key, which is deleted with the function.
  await as.ada(functions.deploy, { params: lambda, body: {} })
  await expect(as.holder(key)(tags.list)).rejects.toThrow('Not authenticated')
  const later = String(((await invokeFunction(as.ada, lambda)) as { data: { key: string } }).data.key)
  await as.ada(functions.remove, { params: lambda })
  await expect(as.holder(later)(tags.list)).rejects.toThrow('Not authenticated')
  const { rows } = { rows: await server.context.db.selectFrom('personal_api_keys').select('label').execute() }
  expect(rows.map(({ label }) => label)).not.toContain('Answer')
  for (const { id, name } of (await as.ada(tags.list)).data)
    if (name === 'by function') await as.ada(tags.remove, { params: { id } })
})

test('its key is invalid while the user who deployed it is disabled', async ({ as, world }) => {
  const setRole = (role: string) => as.ada(team.setRole, { params: { id: world.ben.id }, body: { role } })
  await setRole('admin')
  const lambda = await startFunction(
    as.ben,
    `const handler = () => require('parley')().me().catch(({message}) => message)`,
  )
  expect((await invokeFunction(as.ada, lambda)).data).toMatchObject({ email: 'ben@acme.test' })
  await as.ada(team.disable, { params: { id: world.ben.id } })
  expect((await invokeFunction(as.ada, lambda)).data).toContain('Your account is disabled')
  await as.ada(team.enable, { params: { id: world.ben.id } })
  await setRole('user')
})

test('the zip of Papercups’ dashboard is deployed, and its modules can be required', async ({ as, server, world }) => {
  const { id } = await makeFunction(as.ada, '')
  const code = `const {twice} = require('./lib'); function handler({payload}) { return twice(payload.n) }`
  const files = {
    'index.js': `${code}\n;module.exports.handler = handler`,
    'lib/index.js': 'exports.twice = (n) => 2 * n',
    'node_modules/@papercups-io/papercups/index.js': 'throw new Error("The client of the sandbox comes first")',
    'node_modules/native/build/it.node': 'ELF',
    'README.md': 'left out',
  }
  const { data } = await uploadZip(server, world.ada.token, id, files, { name: 'Zipped', code })
  expect(data).toMatchObject({ name: 'Zipped', code, status: 'inactive', is_changed: false })
  expect(data.modules).toEqual([
    'lib/index.js',
    'node_modules/@papercups-io/papercups/index.js',
    'node_modules/native/build/it.node',
  ])
  expect((await invokeFunction(as.ada, { id }, { n: 4 })).data).toBe(8)
  // Changing the code keeps the modules.
  await as.ada(functions.update, {
    params: { id },
    body: { lambda: { code: `${code}\nrequire('@papercups-io/papercups')` } },
  })
  await as.ada(functions.deploy, { params: { id }, body: {} })
  expect((await invokeFunction(as.ada, { id }, { n: 5 })).data).toBe(10)
})

test('a ZIP file that is invalid, has no index.js or is too large is refused with a reason', async ({
  as,
  server,
  world,
}) => {
  const { id } = await makeFunction(as.ada, '')
  const refused = async (files: Record<string, string>) =>
    (await uploadZip(server, world.ada.token, id, files)).error?.message
  expect(await refused({ 'code/index.js': '' })).toBe('This ZIP file has no index.js at its top level. Add it there.')
  expect(await refused({ 'index.js': '', 'big.js': 'x'.repeat(4_000_001) })).toBe(
    'The code in this ZIP file is larger than 4 MB.',
  )
  const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`${at}.txt`, '']))
  expect(await refused(many)).toBe('This ZIP file has more than 5000 files.')
  const form = new FormData()
  form.append('file', new Blob(['no zip at all']), 'code.zip')
  const sent = await fetch(`${server.url}/api/lambdas/${id}/deploy`, {
    method: 'POST',
    body: form,
    headers: { authorization: world.ada.token },
  })
  expect(sent.status).toBe(422)
  expect(await sent.text()).toContain('This file is not a valid ZIP file.')
})

test('Papercups’ dashboard finds the zip to which it adds the code', async ({ server }) => {
  const answer = await fetch(`${server.url}/deps`)
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
  expect(Object.keys(files)).toContain('node_modules/@papercups-io/papercups/index.js')
})

test('requests can reach public addresses and those the operator allows, and large responses are refused', async ({
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
  const lambda = await startFunction(
    as.ada,
    `const handler = ({payload}) => Promise.all(payload.map((url) =>
       fetch(url, {method: 'POST', body: '{}', headers: {host: 'evil.test', 'x-forwarded-for': '1.1.1.1'}})
         .then(async (r) => r.status + ' ' + await r.text() + r.headers.get('set-cookie'), ({message}) => message)))`,
  )
  const { data } = await invokeFunction(as.ada, lambda, [
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
  const [reached, large, ...refused] = data as string[]
  expect(reached).toBe('200 herenull')
  expect(receiver.received[0]?.headers).toMatchObject({ host: new URL(receiver.url).host })
  expect(large).toBe('The response is larger than 1000 kB.')
  for (const message of refused)
    expect(message).toMatch(/private address|cannot be reached|must begin with http|user name or password/)
  // Other paths of this server are closed to functions, too, unless operators allow private hosts.
  expect((await invokeFunction(as.ada, lambda, [`${server.url}/health`])).data).toHaveLength(1)
})

test('modules and calls of old functions are available, and forbidden ones explain the alternative', async ({ as }) => {
  const lambda = await startFunction(
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
  const { data } = (await invokeFunction(as.ada, lambda)) as { data: Record<string, unknown> }
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

test.each(FUNCTION_STARTERS)('a function may begin with $name, which works', async ({ name, code, events }) => {
  expect(events.length).toBeGreaterThan(0)
  expect(code, name).toContain('async function handler({event, payload})')
})

test('the starter functions answer, tag and greet', async ({ as, server, world }) => {
  const code = (name: string) => FUNCTION_STARTERS.find((starter) => starter.name === name)!
  const closed = code('out_of_hours').code.replace('CLOSES = 17', 'CLOSES = 0')
  const responder = await startFunction(as.ada, closed)
  const tagger = await startFunction(as.ada, code('tag_by_word').code)
  const greeter = await startFunction(as.ada, code('greet_by_page').code, { events: ['conversation:created'] })
  const visitor = await startVisitor(server, world.acme.id, {
    name: 'Walker',
    current_url: 'https://shop.test/pricing',
  })
  const { conversation_id } = await startConversation(server, visitor, 'Where is my invoice for the delivery?')
  await Promise.all([responder, tagger, greeter].map((each) => endedRuns(as.ada, each)))
  const { data } = await as.ada(conversations.get, { params: { id: conversation_id } })
  expect(data.tags.map(({ name }) => name).sort()).toEqual(['billing', 'shipping'])
  const bodies = data.messages.filter(({ type }) => type === 'bot').map(({ body }) => body)
  expect(bodies).toContainEqual(expect.stringContaining('Tell us how large your team is'))
  for (const each of [responder, tagger, greeter]) expect((await runsOf(as.ada, each))[0]?.error).toBeNull()
})
