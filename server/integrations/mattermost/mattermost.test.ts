import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { mattermost as calls } from '#contract/integrations/mattermost.ts'
import { BOT_TOKEN, MattermostEmulator } from '#tests/emulators/mattermost.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { threadWith as findThread } from '#tests/support/mattermost.ts'
import { passTime } from '#tests/support/pass-time.ts'
import { Talk, TIMEOUT } from '#tests/support/talk.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const mattermost = await MattermostEmulator.start([
  { username: 'ada.l', email: 'ada@acme.test' },
  { username: 'temp', email: 'temp@agency.test', first_name: 'Temp', last_name: 'Worker' },
  { username: 'noa', email: 'noa@agency.test', first_name: 'נועה', last_name: '(מ\u202eחסן) 7' },
])
const talk = new Talk()
afterAll(() => mattermost.close())
const test = base.extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
test.afterEach(async ({ as }) => {
  mattermost.token = BOT_TOKEN
  mattermost.acceptLines()
  await talk.disconnectAll(as)
})

const draft = (more: object = {}) => ({
  mattermost_url: `${mattermost.url}/`,
  access_token: BOT_TOKEN,
  channel_id: mattermost.support.id,
  ...more,
})
const connect = async (as: Callers, more: object = {}) =>
  (await as.ada(calls.connect, { body: { authorization: draft(more) } })).data.id
const openLine = () => vi.waitFor(() => expect(mattermost.openLines()).toBe(1), TIMEOUT)
const health = async (as: Callers) => (await as.ada(integrations.list)).data[0]!
const threadWith = (begin: string, ...texts: string[]) => findThread(mattermost, begin, ...texts)

test('a channel is connected after testing its bot, and tokens are sent only to the server they were entered for', async ({
  as,
  world,
}) => {
  const channels = async (query: object) => (await as.ada(calls.channels, { query })).data
  expect(await channels({ mattermost_url: 'nonsense', access_token: BOT_TOKEN })).toEqual([])
  const listed = await channels({ mattermost_url: mattermost.url, access_token: BOT_TOKEN })
  expect(listed.map(({ display_name, team_name }) => `${team_name} ${display_name}`)).toEqual([
    'Acme Secret',
    'Acme Support',
  ])
  await expect(connect(as, { access_token: 'wrong' })).rejects.toThrow('Invalid or expired session')
  await expect(connect(as, { mattermost_url: 'http://10.0.0.1' })).rejects.toThrow('is a private address')
  const id = await connect(as)
  const { data } = await as.ada(calls.get, { query: { inbox_id: world.website.id } })
  expect(data).toMatchObject({ id, channel: 'Support', team_domain: 'acme', access_token: '••••most' })
  expect(await connect(as, { access_token: data!.access_token })).toBe(id)
  const elsewhere = { mattermost_url: 'http://127.0.0.1:1', access_token: data!.access_token }
  await expect(connect(as, elsewhere)).rejects.toMatchObject({
    errors: { access_token: ['must be entered again for another server'] },
  })
  expect((await as.olga(calls.get, {})).data).toBeNull()
  await expect(as.olga(calls.remove, { params: { id } })).rejects.toMatchObject({ status: 404 })
  await expect(as.ben(calls.get, {})).rejects.toThrow('Unauthorized')
})

test('an address where something else answers is refused with a sentence', async ({ as }) => {
  let answer: [status: number, headers: Record<string, string>, body: string] = [200, {}, '']
  const other = createServer((_request, response) => {
    const [status, headers, body] = answer
    response.writeHead(status, headers).end(body)
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const mattermost_url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const json = { 'content-type': 'application/json' }
  const unexpected = 'returned an unexpected response'
  for (const [response, sentence] of [
    [[200, { 'content-type': 'text/html' }, '<h1>Sign in</h1>'], unexpected],
    [[200, json, '{'], unexpected],
    [[200, json, '{"id":7}'], unexpected],
    [[200, {}, ''], unexpected],
    [[302, { location: 'https://chat.acme.test/login' }, ''], 'redirects to https://chat.acme.test.'],
    [[301, {}, ''], 'redirects to another address'],
    [[500, {}, 'oops'], 'returned an error (500)'],
  ] as const) {
    answer = [...response]
    const wanted = { status: 422, message: expect.stringContaining(sentence) }
    await expect(connect(as, { mattermost_url })).rejects.toMatchObject(wanted)
    const query = { mattermost_url, access_token: BOT_TOKEN }
    await expect(as.ada(calls.channels, { query })).rejects.toMatchObject(wanted)
  }
  other.close()
  for (const url of ['http://nowhere.invalid', mattermost_url])
    await expect(connect(as, { mattermost_url: url })).rejects.toMatchObject({ status: 422 })
})

test('a conversation is mirrored and answered from there, with notes, files, edits and deletions, once', async ({
  as,
  server,
  world,
}) => {
  await connect(as)
  await openLine()
  const { conversation_id, more } = await talk.write(server, world, 'Is the desk @all there?')
  const { root, posts } = await threadWith('Is the desk')
  expect(posts[0]).toContain(`*:wave: Walker*: Is the desk @\u200ball there?`)
  const answer = mattermost.post('ada.l', 'It **is**', root, { name: 'desk.txt', bytes: Buffer.from('oak') })
  expect(await talk.messageWith(as, conversation_id, 'It **is**')).toMatchObject({
    user_id: world.ada.id,
    attachments: [{ filename: 'desk.txt' }],
  })
  expect(await talk.messageWith(as, conversation_id, 'It **is**')).not.toHaveProperty('external_author')
  mattermost.sendAgain(answer.id)
  mattermost.post('ada.l', 'Bye :wave::skin-tone-3: :our_own: `:wave:`', root)
  await talk.messageWith(as, conversation_id, 'Bye 👋 :our_own: `:wave:`')
  mattermost.post('temp', ';; ask the carpenter', root)
  expect(await talk.messageWith(as, conversation_id, 'ask the carpenter')).toMatchObject({
    private: true,
    user_id: world.ada.id,
    external_author: 'Temp Worker',
    user: { display_name: 'Temp Worker' },
  })
  mattermost.edit(answer.id, 'It **was**')
  await talk.messageWith(as, conversation_id, 'It **was**')
  mattermost.remove(answer.id)
  await vi.waitFor(
    async () => expect((await talk.bodiesOf(as, conversation_id)).map(({ body }) => body)).not.toContain('It **was**'),
    TIMEOUT,
  )
  await more('Thank you')
  const { id } = await talk.answer(as, conversation_id, 'Yuo are welcome')
  const { id: deleted } = await talk.answer(as, conversation_id, 'Away')
  await threadWith('Is the desk', 'Thank you', 'Yuo are welcome', 'Away')
  await as.ada(messages.update, { params: { id }, body: { message: { body: 'You are welcome' } } as never })
  await as.ada(messages.remove, { params: { id: deleted } })
  const { posts: end } = await threadWith('Is the desk', 'You are welcome')
  await vi.waitFor(
    () =>
      expect(
        mattermost
          .thread(root)
          .map(({ message }) => message)
          .join(),
      ).not.toContain('Away'),
    TIMEOUT,
  )
  expect(end.filter((text) => text.includes('carpenter'))).toHaveLength(1)
})

test('names of the other writing direction stay together in Mattermost, and nothing in them turns what follows', async ({
  as,
  server,
  world,
}) => {
  await connect(as)
  await openLine()
  const visitor = await startVisitor(server, world.acme.id, { name: 'ליאת\u202e (חנות) 2' })
  const { conversation_id } = await startConversation(server, visitor, 'Is the bench (3) there?')
  const { root, posts } = await threadWith('Is the bench')
  expect(posts[0]).toContain('*:wave: \u2068ליאת חנות 2\u2069*: Is the bench (3) there?')
  mattermost.post('noa', 'It is', root)
  expect(await talk.messageWith(as, conversation_id, 'It is')).toMatchObject({ external_author: 'נועה (מחסן) 7' })
})

test('a reply with a too large file is sent without it, and a note tells the team where the file is', async ({
  as,
  server,
  world,
}) => {
  await connect(as)
  await openLine()
  const { conversation_id } = await talk.write(server, world, 'May I see the film?')
  const { root } = await threadWith('May I see')
  const bytes = Buffer.alloc(8_000_001)
  const { id } = mattermost.post('ada.l', 'Here it is', root, { name: 'film.mp4', bytes })
  expect(await talk.messageWith(as, conversation_id, 'Here it is')).toMatchObject({ attachments: [] })
  const note = await vi.waitFor(async () => {
    const match = (await talk.bodiesOf(as, conversation_id)).find(({ body }) => body?.includes('film.mp4'))
    expect(match).toBeDefined()
    return match!
  }, TIMEOUT)
  expect(note).toMatchObject({ private: true, user_id: null })
  expect(note.body).toContain(`${mattermost.url}/acme/pl/${id}`)
})

test('posts written while disconnected are fetched, and deliveries that Mattermost refuses wait in order', async ({
  as,
  server,
  world,
}) => {
  await connect(as)
  await openLine()
  const { conversation_id } = await talk.write(server, world, 'Cut')
  const { root } = await threadWith('Cut')
  mattermost.refuseLines()
  mattermost.post('ada.l', 'Meanwhile', root)
  await vi.waitFor(async () => expect((await health(as)).problem).toBeTruthy(), TIMEOUT)
  mattermost.acceptLines()
  await talk.messageWith(as, conversation_id, 'Meanwhile')
  mattermost.fail('POST /posts', 500)
  mattermost.lose('POST /posts')
  await talk.answer(as, conversation_id, 'First')
  await talk.answer(as, conversation_id, 'Second')
  for (const left of [1, 0]) {
    await vi.waitFor(async () => {
      expect(mattermost.faultsLeft()).toBe(left)
      expect((await health(as)).state).toBe('resting')
    }, TIMEOUT)
    await passTime(server)
  }
  await talk.allSent(as, conversation_id)
  const texts = mattermost.thread(root).map(({ message }) => message.split('*: ').at(-1))
  expect(texts.slice(-2)).toEqual(['First', 'Second'])
  expect(mattermost.thread(root).filter(({ message }) => message.includes('First'))).toHaveLength(1)
})

test('rate limits of Mattermost are respected, and then everything arrives in order, once', async ({
  as,
  server,
  world,
}) => {
  await connect(as)
  await openLine()
  const { conversation_id } = await talk.write(server, world, 'Too much')
  const { root } = await threadWith('Too much')
  await talk.allSent(as, conversation_id)
  mattermost.fail('POST /posts', 429, { 'retry-after': '300' })
  await talk.answer(as, conversation_id, 'One')
  await talk.answer(as, conversation_id, 'Two')
  await vi.waitFor(async () => {
    const { state, problem, paused_until } = await health(as)
    expect({ state, problem }).toEqual({
      state: 'resting',
      problem: 'Mattermost limits the number of requests. It will be retried later.',
    })
    expect(Date.parse(paused_until!) - Date.now()).toBeGreaterThan(120_000)
  }, TIMEOUT)
  expect(mattermost.thread(root)).toHaveLength(1)
  await passTime(server)
  await talk.allSent(as, conversation_id)
  const texts = mattermost.thread(root).map(({ message }) => message.split('*: ').at(-1))
  expect(texts.slice(1)).toEqual(['One', 'Two'])
  expect(await health(as)).toMatchObject({ state: 'connected', problem: null })
})

test('missed posts are fetched however much was written after them', async ({ as, server, world }) => {
  await connect(as)
  await openLine()
  const { conversation_id } = await talk.write(server, world, 'Busy')
  const { root } = await threadWith('Busy')
  mattermost.refuseLines()
  mattermost.post('ada.l', 'Before all that', root)
  for (let i = 0; i < 1_250; i++) mattermost.post('ada.l', `Lunch ${i}?`, '')
  mattermost.post('ada.l', 'After it', root)
  await vi.waitFor(async () => expect((await health(as)).problem).toBeTruthy(), TIMEOUT)
  mattermost.acceptLines()
  await talk.messageWith(as, conversation_id, 'After it')
  const bodies = (await talk.bodiesOf(as, conversation_id)).toReversed().map(({ body }) => body)
  expect(bodies).toEqual(['Busy', 'Before all that', 'After it'])
})

test('an expired bot token breaks the connection, and an outgoing webhook is authenticated by its token', async ({
  as,
  server,
  world,
}) => {
  await connect(as, { verification_token: 'a token of the webhook' })
  await openLine()
  const { conversation_id } = await talk.write(server, world, 'Called')
  const { root } = await threadWith('Called')
  mattermost.refuseLines()
  const { id: post_id } = mattermost.post('ada.l', 'By a webhook', root)
  const call = async (token: string, channel_id = mattermost.support.id) => {
    const body = new URLSearchParams({ channel_id, token, post_id, text: 'not believed' })
    return (await fetch(`${server.url}/api/mattermost/webhook`, { method: 'POST', body })).status
  }
  expect(await call('a guess')).toBe(401)
  expect(await call('a token of the webhook', 'another')).toBe(401)
  expect(await call('a token of the webhook')).toBe(200)
  expect(await call('a token of the webhook')).toBe(200)
  await talk.messageWith(as, conversation_id, 'By a webhook')
  mattermost.token = 'another'
  mattermost.acceptLines()
  await vi.waitFor(async () => expect(await health(as)).toMatchObject({ state: 'broken' }), TIMEOUT)
  expect((await health(as)).problem).toContain('token')
  const bodies = (await talk.bodiesOf(as, conversation_id)).map(({ body }) => body)
  expect(bodies.sort()).toEqual(['By a webhook', 'Called'])
})

test('a reply in Mattermost that nothing can send is refused, and its thread says why', async ({ as, world }) => {
  await connect(as)
  await openLine()
  const conversation = { customer_id: world.carla.customer_id, source: 'email' as const }
  const { id: conversation_id } = (await as.ada(conversations.create, { body: { conversation } })).data
  await talk.answer(as, conversation_id, 'Who can say?', { private: true })
  const { root } = await threadWith('Who can say?', 'Who can say?')
  mattermost.post('ada.l', 'I can', root)
  await threadWith('Who can say?', 'was not sent', '> I can', 'Connect a mailbox')
  mattermost.post('ada.l', ';; but I can note it', root)
  await talk.messageWith(as, conversation_id, 'but I can note it')
  const bodies = (await talk.bodiesOf(as, conversation_id)).map(({ body }) => body)
  expect(bodies).not.toContain('I can')
})
