import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { audit } from '#contract/accounts/audit.ts'
import { languageModel } from '#contract/connections/language-model.ts'
import {
  breaksOff,
  failsWithin,
  hangs,
  knowsNot,
  refuses,
  says,
  saysAtOnce,
  showsPage,
  startChatModel,
} from '#tests/emulators/chat-model.ts'
import { test as base, expect, refusalOf } from '#tests/support/fixture.ts'
import { type CompletionRequest, complete } from './complete.ts'
import { pruneUsage } from './usage.ts'

const KEY = 'sk-acme-0123456789abcdefghijklmnop'

const test = base
  .extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
  .extend('model', async ({ as, server, world }, { onCleanup }) => {
    const model = await startChatModel()
    model.key = KEY
    const body = { base_url: model.url, model: 'small', key: KEY, is_enabled: true }
    await as.ada(languageModel.change, { body })
    model.prompts.length = 0
    onCleanup(async () => {
      await model.close()
      await as.ada(languageModel.remove)
      await server.context.db.deleteFrom('language_model_usage').where('account_id', '=', world.acme.id).execute()
    })
    return model
  })
  /** Asks the model, and returns what it wrote. */
  .extend('ask', ({ server, world, model: _ }) => async (asked: Partial<CompletionRequest> = {}) => {
    const request: CompletionRequest = {
      account_id: world.acme.id,
      user_id: null,
      purpose: 'draft',
      messages: [{ role: 'user', content: 'Hello?' }],
      max_tokens: 100,
      ...asked,
    }
    let text = ''
    for await (const piece of complete(server.context, request)) text += piece
    return text
  })

test('without a model nothing changes, and nothing can be asked', async ({ as, server, world }) => {
  expect((await as.ben(languageModel.get)).data).toEqual({ object: 'language_model', is_enabled: false, model: null })
  const { data } = await as.ada(languageModel.settings)
  expect(data).toMatchObject({ base_url: null, has_key: false, is_enabled: false, requests_per_hour: 20 })
  const asked = complete(server.context, {
    account_id: world.acme.id,
    user_id: null,
    purpose: 'draft',
    messages: [],
    max_tokens: 10,
  })
  await expect(asked.next()).rejects.toThrow(/No language model is switched on/)
})

test('a model is tried before it is saved, its key is never shown, and the change is in the audit trail', async ({
  as,
}) => {
  const model = await startChatModel()
  model.key = KEY
  const body = { base_url: `${model.url}/chat/completions`, model: 'small', is_enabled: true }
  await expect(as.ada(languageModel.change, { body })).rejects.toThrow(`${model.host} asks for a key`)
  await expect(as.ada(languageModel.change, { body: { ...body, key: 'wrong' } })).rejects.toThrow(
    `${model.host} does not accept the key`,
  )
  expect((await as.ada(languageModel.settings)).data.base_url).toBeNull()
  const { data } = await as.ada(languageModel.change, { body: { ...body, key: KEY } })
  expect(data).toMatchObject({ base_url: model.url, model: 'small', has_key: true, is_enabled: true })
  expect(model.prompts.at(-1)).toMatchObject({ token: KEY, body: { model: 'small' } })
  expect((await as.ben(languageModel.get)).data).toMatchObject({ is_enabled: true, model: 'small' })
  const entries = (await as.ada(audit.list, { query: { action: 'language_model' } })).data
  expect(entries[0]).toMatchObject({ action: 'language_model.changed', subject_name: 'small' })
  expect(JSON.stringify([data, entries])).not.toContain(KEY)
  await as.ada(languageModel.remove)
  expect((await as.ada(languageModel.settings)).data).toMatchObject({ base_url: null, has_key: false })
  const [removed] = (await as.ada(audit.list, { query: { action: 'language_model.removed' } })).data
  expect(removed).toMatchObject({ subject_name: 'small' })
  await model.close()
})

test('members see whether there is a model, and neither settings nor usage', async ({ as }) => {
  for (const call of [languageModel.settings, languageModel.usage])
    await expect(as.ben(call)).rejects.toMatchObject({ status: 401 })
})

test('bounds change without asking the model, and an address that changes forgets its key', async ({ as, model }) => {
  await as.ada(languageModel.change, { body: { tokens_per_month: 5, requests_per_hour: 3, reads_notes: true } })
  expect(model.prompts).toHaveLength(0)
  const other = await startChatModel()
  const { data } = await as.ada(languageModel.change, { body: { base_url: other.url } })
  expect(data).toMatchObject({ base_url: other.url, has_key: false, tokens_per_month: 5, reads_notes: true })
  expect(other.prompts.map(({ token }) => token)).toEqual([undefined])
  await other.close()
})

test('the names of its models are listed, or it is said why not', async ({ as, model }) => {
  const body = { base_url: model.url }
  expect((await as.ada(languageModel.models, { body })).data).toEqual(['large', 'small'])
  const refused = { base_url: model.url, key: 'wrong' }
  await expect(as.ada(languageModel.models, { body: refused })).rejects.toThrow('does not accept the key')
  const other = await startChatModel()
  other.key = 'of another server'
  await expect(as.ada(languageModel.models, { body: { base_url: other.url } })).rejects.toThrow('asks for a key')
  await other.close()
  await expect(as.ada(languageModel.models, { body: { base_url: 'http://10.1.2.3/v1' } })).rejects.toThrow(
    /private address.*REACHABLE_HOSTS/,
  )
})

test.for([
  ['an address that may not be called', { base_url: 'http://10.1.2.3:11434/v1' }, /REACHABLE_HOSTS/],
  ['an address where nobody answers', { base_url: 'http://127.0.0.1:9/v1' }, /127\.0\.0\.1:9 cannot be reached/],
  ['an address that is none', { base_url: 'ftp://models' }, /Unprocessable/],
] as const)('is refused with a sentence: %s', async ([, changes, sentence], { as, model: _ }) => {
  const refusal = await refusalOf(as.ada(languageModel.change, { body: changes }))
  expect(refusal.status).toBe(422)
  expect(refusal.message).toMatch(sentence)
})

test.for([
  ['an unknown model', refuses(404, { message: 'model not found' }), /knows no model named “large”/],
  ['a redirect', refuses(307, '<p>Moved</p>', { location: 'http://127.0.0.1:1/v1' }), /redirects to another address/],
  ['a page', showsPage, /does not answer as a language model does/],
  ['a request that it refuses', refuses(400, 'context too long'), /refuses the request.*“context too long”/],
  ['too many requests', refuses(429, { message: 'Slow down' }, { 'retry-after': '90' }), /again in 90 seconds/],
] as const)('on saving, a failure is a sentence: %s', async ([, behaviour, sentence], { as, model }) => {
  model.next(behaviour)
  await expect(as.ada(languageModel.change, { body: { model: 'large' } })).rejects.toThrow(sentence)
  expect((await as.ada(languageModel.settings)).data.model).toBe('small')
})

test('text arrives whole, however it is cut on its way', async ({ model, ask }) => {
  const text = 'Chào bạn, đèn bàn 🛋️ của “Ada” kostet 20 €.'
  model.next(says(text), says(text, { hasEnd: false }), says(text, { usage: null }), saysAtOnce(text))
  for (let i = 0; i < 4; i++) expect(await ask()).toBe(text)
})

test('what a model thinks is left out', async ({ model, ask }) => {
  model.next(
    says('Yes.', { reasoning: 'The user wants a yes.' }),
    says('<think>The user\nwants a yes.</think>Yes, <b>you</b> may: 1 < 2 <th'),
  )
  expect(await ask()).toBe('Yes.')
  expect(await ask()).toBe('Yes, <b>you</b> may: 1 < 2 <th')
  model.next(says('<think>and never stops'))
  await expect(ask()).rejects.toThrow(/has written nothing/)
})

test('an answer ends at its longest length, even if the model goes on', async ({ model, ask, server, world }) => {
  model.next(says('Lamps are', { finish_reason: 'length' }), says('ab '.repeat(2000)))
  const cut = complete(server.context, {
    account_id: world.acme.id,
    user_id: null,
    purpose: 'draft',
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: 10,
  })
  let step = await cut.next()
  while (!step.done) step = await cut.next()
  expect(step.value).toEqual({ is_cut: true })
  expect(await ask({ max_tokens: 10 })).toHaveLength(80)
  await expect.poll(() => model.abandoned).toBe(1)
})

test('parameters that a model refuses are left out, and remembered', async ({ model, ask }) => {
  model.usual = knowsNot(['max_completion_tokens', 'temperature', 'stream_options'], says('OK.', { usage: null }))
  expect(await ask()).toBe('OK.')
  expect(model.prompts).toHaveLength(4)
  expect(await ask()).toBe('OK.')
  expect(model.prompts).toHaveLength(5)
  const { messages: _, ...body } = model.prompts.at(-1)!.body
  expect(body).toEqual({ model: 'small', stream: true, max_tokens: 100 })
})

test('an overloaded server is asked once more', async ({ model, ask }) => {
  const loading = refuses(503, { message: 'Loading model' })
  model.next(loading, says('Loaded.'), refuses(429, 'busy', { 'retry-after': '0' }), says('Calm.'))
  expect(await ask()).toBe('Loaded.')
  expect(await ask()).toBe('Calm.')
  model.next(loading, loading)
  await expect(ask()).rejects.toThrow(/does not work at the moment \(error 503\).*“Loading model”/)
})

test.for([
  ['breaks off', breaksOff('Dear'), /broke off before the answer was complete/],
  ['ends without an end', says('Dear', { finish_reason: null, hasEnd: false }), /broke off/],
  ['reports an error within', failsWithin('Dear', 'out of memory'), /reports an error: “out of memory”/],
  ['says nothing', says(''), /has written nothing/],
  ['declines', says('I', { finish_reason: 'content_filter' }), /declined to write this/],
  ['repeats the key', refuses(400, `bad key ${KEY}`), /“bad key (…|\[removed secret\])”/],
] as const)('while it writes, a failure is a sentence: it %s', async ([, behaviour, sentence], { model, ask }) => {
  model.next(behaviour)
  await expect(ask()).rejects.toThrow(sentence)
})

test('stopping closes the connection, which frees the place', async ({ model, ask, world }) => {
  const stop = new AbortController()
  const conversation_id = world.acme.id
  model.next(hangs('Dear'))
  const asked = ask({ conversation_id, signal: stop.signal })
  await expect.poll(() => model.prompts.length).toBe(1)
  await expect(ask({ conversation_id })).rejects.toThrow(/already writing for this conversation/)
  stop.abort()
  await asked
  await expect.poll(() => model.abandoned).toBe(1)
  expect(await ask({ conversation_id })).toBe('OK.')
})

test('a person has two texts written at once, and a team some', async ({ model, ask, world }) => {
  const stop = new AbortController()
  model.usual = hangs()
  const running = [world.ben.id, world.ben.id].map((user_id) => ask({ user_id, signal: stop.signal }))
  await expect.poll(() => model.prompts.length).toBe(2)
  await expect(ask({ user_id: world.ben.id })).rejects.toThrow(/already writing two texts for you/)
  running.push(...[1, 2, 3, 4].map(() => ask({ signal: stop.signal })))
  await expect.poll(() => model.prompts.length).toBe(6)
  await expect(ask({ user_id: world.ada.id })).rejects.toThrow(/busy with requests of your team/)
  stop.abort()
  await Promise.all(running)
})

test('a person asks as often as the account allows, and others are not affected', async ({
  as,
  model: _,
  ask,
  world,
}) => {
  await as.ada(languageModel.change, { body: { requests_per_hour: 2 } })
  const { id: user_id } = world.ada
  await ask({ user_id })
  await ask({ user_id })
  await expect(ask({ user_id })).rejects.toThrow(/asked the model 2 times within an hour/)
  expect(await ask({ user_id: world.ben.id })).toBe('OK.')
})

test('usage is counted by person and purpose, and the month’s bound holds', async ({ as, model, ask, world }) => {
  await ask({ user_id: world.ben.id })
  model.next(says('Word', { usage: null }), refuses(400, 'no'))
  await ask({ purpose: 'answer', messages: [{ role: 'user', content: 'x'.repeat(300) }] })
  await expect(ask({ purpose: 'answer' })).rejects.toThrow('refuses the request')
  const { data } = await as.ada(languageModel.usage)
  expect(data).toMatchObject({
    tokens: 222,
    people: [
      { user_id: world.ben.id, requests: 1, tokens_in: 100, tokens_out: 20 },
      { user_id: null, requests: 2, tokens_in: 100, tokens_out: 2 },
    ],
  })
  expect(data.purposes.map(({ purpose }) => purpose)).toEqual(['draft', 'answer'])
  await as.ada(languageModel.change, { body: { tokens_per_month: 300 } })
  model.prompts.length = 0
  await expect(ask({ max_tokens: 100 })).rejects.toThrow(/used up.*raise the bound/)
  expect(model.prompts).toHaveLength(0)
  expect(await ask({ max_tokens: 50 })).toBe('OK.')
})

test('of several requests at once none exceeds the month', async ({ as, model, ask }) => {
  await as.ada(languageModel.change, { body: { tokens_per_month: 250 } })
  const stop = new AbortController()
  model.usual = hangs()
  const outcomes = [1, 2, 3, 4].map(() =>
    ask({ signal: stop.signal }).then(
      () => 'asked',
      () => 'refused',
    ),
  )
  await expect.poll(() => model.prompts.length).toBe(2)
  await sleep(50)
  stop.abort()
  expect((await Promise.all(outcomes)).sort()).toEqual(['asked', 'asked', 'refused', 'refused'])
})

test('secrets, card numbers and links that give access do not leave', async ({ model, ask }) => {
  const content = 'Card 4111 1111 1111 1111, password: hunter2, https://acme.test/reset?token=abc'
  await ask({
    messages: [
      { role: 'system', content },
      { role: 'user', content },
    ],
  })
  expect(model.prompts.at(-1)!.text).not.toMatch(/4111|hunter2|token=/)
})

test('counts of more than a year ago are deleted', async ({ server, world, ask, as }) => {
  await ask()
  const { db } = server.context
  await db
    .updateTable('language_model_usage')
    .set({ month: sql<string>`current_date - 420` })
    .where('account_id', '=', world.acme.id)
    .execute()
  await ask()
  await pruneUsage(db)
  const rows = await db
    .selectFrom('language_model_usage')
    .select('id')
    .where('account_id', '=', world.acme.id)
    .execute()
  expect(rows).toHaveLength(1)
  expect((await as.ada(languageModel.usage)).data.tokens).toBe(120)
})
