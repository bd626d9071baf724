import { languageModel } from '#contract/connections/language-model.ts'
import { messages } from '#contract/conversations/messages.ts'
import { scheduledMessages } from '#contract/conversations/scheduled-messages.ts'
import { type MessageTranslation, translations } from '#contract/conversations/translations.ts'
import { writingHelp } from '#contract/conversations/writing-help.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { breaksOff, refuses, says, startChatModel, translates } from '#tests/emulators/chat-model.ts'
import { test as base, type Caller, expect, refusalOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

/** In English whatever was asked. */
const english = translates((text) => `In English: ${text}`)

interface Received {
  name: string
  data: Partial<MessageTranslation> & { message?: string }
}

const test = base
  .extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
  .extend('model', { scope: 'file' }, async ({ as }, { onCleanup }) => {
    const model = await startChatModel()
    await as.ada(languageModel.change, {
      body: { base_url: model.url, model: 'small', is_enabled: true, requests_per_hour: 1000 },
    })
    model.usual = english
    onCleanup(() => model.close())
    return model
  })
  /** A conversation that a customer begins; further messages follow it. */
  .extend('ask', ({ server, world, model, as }) => async (...texts: string[]) => {
    const visitor = await startVisitor(server, world.acme.id)
    const { conversation_id } = await startConversation(server, visitor, texts[0]!)
    for (const body of texts.slice(1))
      await as.holder(visitor.token)(messages.create, { body: { message: { conversation_id, body } } })
    model.prompts.length = 0
    const { data } = await as.ada(messages.list, { query: { conversation_id } })
    return { id: conversation_id, visitor, messages: [...data].sort((a, b) => a.number - b.number) }
  })
  .extend(
    'translate',
    ({ as }) =>
      async (id: string, message_ids: string[], language = 'en', who: Caller = as.ben): Promise<Received[]> => {
        const text = String(await who(translations.create, { params: { id }, body: { message_ids, language } }))
        return [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => ({
          name: name!,
          data: JSON.parse(data!),
        }))
      },
  )
  .extend('list', ({ as }) => async (id: string, who: Caller = as.ben) => {
    return (await who(translations.list, { params: { id } })).data
  })

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

test('the language of a message is recognised when it is stored, and again when it is edited', async ({ as, ask }) => {
  const { id, messages: list } = await ask('Wo ist meine Bestellung?', 'ok')
  expect(list.map(({ language }) => language)).toEqual(['de', undefined])
  const { data } = await as.ben(messages.create, {
    body: { message: { conversation_id: id, body: 'It is on its way.' } },
  })
  expect(data.language).toBe('en')
  const changed = await as.ben(messages.update, {
    params: { id: data.id },
    body: { message: { body: 'Sie ist unterwegs zu Ihnen.' } },
  })
  expect(changed.data.language).toBe('de')
})

test('messages are translated with one request, kept, and shared: nobody pays twice', async ({
  as,
  model,
  ask,
  translate,
  list,
}) => {
  const { id, messages: asked } = await ask('Wo ist meine Bestellung?', 'Danke!')
  const received = await translate(id, idsOf(asked))
  expect(received.map(({ name, data }) => [name, data.body])).toEqual([
    ['translation', 'In English: Wo ist meine Bestellung?'],
    ['translation', 'In English: Danke!'],
    ['done', undefined],
  ])
  expect(model.prompts).toHaveLength(1)
  expect(model.prompts[0]!.text).toContain('into English')
  const again = await translate(id, idsOf(asked), 'en', as.ada)
  expect(again.map(({ name }) => name)).toEqual(['translation', 'translation', 'done'])
  expect(model.prompts).toHaveLength(1)
  expect((await list(id, as.ada)).map(({ number, language, is_original }) => [number, language, is_original])).toEqual([
    [2, 'en', false],
    [1, 'en', false],
  ])
  await translate(id, [asked[0]!.id], 'vi')
  expect(model.prompts).toHaveLength(2)
})

test('links, addresses, codes and secrets do not leave, and come back unchanged', async ({ model, ask, translate }) => {
  const text = 'Die Bestellung AB-1234 von https://shop.test/a?token=x1y2 an eva@shop.test, Passwort: geheim99'
  const { id, messages: asked } = await ask(text)
  const [translated] = await translate(id, idsOf(asked))
  expect(translated!.data.body).toBe(`In English: ${text}`)
  for (const part of ['AB-1234', 'shop.test', 'geheim99']) expect(model.prompts[0]!.text).not.toContain(part)
})

test.for([
  ['loses a link', (text: string) => text.replace(/\[\[\d+\]\]/, '')],
  ['changes a code', (text: string) => text.replace('[[1]]', '[[8]]')],
  ['adds a link', (text: string) => `${text} https://evil.test`],
] as const)('a translation that %s is refused', async ([, spoil], { model, ask, translate, list }) => {
  const { id, messages: asked } = await ask('Wo ist die Bestellung AB-1234 aus https://shop.test/lampen?')
  model.next(translates(spoil))
  const [skipped] = await translate(id, idsOf(asked))
  expect(skipped).toMatchObject({ name: 'skipped', data: { message_id: asked[0]!.id } })
  expect(skipped!.data.message).toContain('has changed a link or code')
  expect(await list(id)).toEqual([])
  expect((await translate(id, idsOf(asked)))[0]!.name).toBe('translation')
})

test('numbers that a translation lacks are named with it', async ({ model, ask, translate }) => {
  const { id, messages: asked } = await ask('Ich habe vor 14 Tagen 3 Lampen bestellt.')
  model.next(translates(() => 'I ordered 3 lamps two weeks ago.'))
  expect((await translate(id, idsOf(asked)))[0]!.data.missing).toEqual(['14'])
})

test('what has arrived when the model breaks off is kept, and the rest is asked for again', async ({
  model,
  ask,
  translate,
  list,
}) => {
  const { id, messages: asked } = await ask('Wo ist meine Bestellung?', 'Ich warte schon seit gestern.')
  model.next((response, prompt) => {
    const [, mark] = /<(message 1 \w+)>\n/.exec(prompt.text.slice(prompt.text.lastIndexOf('<message 1 ')))!
    return breaksOff(`<${mark}>\nWhere is my order?\n</${mark}> <message 2`)(response, prompt)
  })
  const received = await translate(id, idsOf(asked))
  expect(received.map(({ name }) => name)).toEqual(['translation', 'failed'])
  expect(received[1]!.data.message).toContain('broke off')
  expect((await list(id)).map(({ body }) => body)).toEqual(['Where is my order?'])
  await translate(id, idsOf(asked))
  expect(model.prompts.at(-1)!.text).not.toContain('Bestellung')
})

test('a model that leaves out the marks is understood for a single message, and a refusal is a sentence', async ({
  model,
  ask,
  translate,
}) => {
  const { id, messages: asked } = await ask('Wo ist meine Bestellung?', 'Ich warte schon seit gestern.')
  model.next(says('Where is my order?'))
  expect((await translate(id, [asked[0]!.id]))[0]!.data.body).toBe('Where is my order?')
  model.next(says('No marks here.'))
  expect((await translate(id, [asked[1]!.id], 'fr'))[0]!.data.body).toBe('No marks here.')
  model.next(refuses(401, 'no'))
  expect((await translate(id, [asked[1]!.id]))[0]).toMatchObject({
    name: 'failed',
    data: { message: expect.stringContaining('asks for a key') },
  })
})

test('notes, other conversations’ messages, and messages of another company are not translated', async ({
  as,
  ask,
  model,
  translate,
}) => {
  const { id, messages: asked } = await ask('Wo ist meine Bestellung?')
  const other = await ask('Wo ist meine Lampe?')
  const note = { conversation_id: id, body: 'Das ist nur für uns.', type: 'note' as const, private: true }
  const { data } = await as.ada(messages.create, { body: { message: note } })
  for (const message_id of [data.id, other.messages[0]!.id]) {
    const body = { message_ids: [message_id], language: 'en' }
    expect((await refusalOf(as.ben(translations.create, { params: { id }, body }))).status).toBe(404)
  }
  const body = { message_ids: idsOf(asked), language: 'en' }
  expect((await refusalOf(as.olga(translations.create, { params: { id }, body }))).status).toBe(404)
  expect((await refusalOf(as.olga(translations.list, { params: { id } }))).status).toBe(404)
  expect(model.prompts).toEqual([])
  expect((await translate(id, idsOf(asked)))[0]!.name).toBe('translation')
})

test('an edited message has no translations, and one that is edited meanwhile gets none', async ({
  as,
  ask,
  model,
  translate,
  list,
}) => {
  const { id } = await ask('Wo ist meine Bestellung?')
  const post = { conversation_id: id, body: 'Sie ist unterwegs.' }
  const { data: sent } = await as.ada(messages.create, { body: { message: post } })
  const edit = (body: string) => as.ada(messages.update, { params: { id: sent.id }, body: { message: { body } } })
  await translate(id, [sent.id])
  expect(await list(id)).toHaveLength(1)
  await edit('Sie kommt morgen.')
  expect(await list(id)).toEqual([])
  model.next(async (response, prompt) => {
    await edit('Sie kommt erst übermorgen.')
    await english(response, prompt)
  })
  expect((await translate(id, [sent.id]))[0]!.data.message).toContain('was changed while')
  expect(await list(id)).toEqual([])
})

test('a reply that was translated keeps what its author wrote for the team, and the customer gets the translation alone', async ({
  as,
  ask,
  list,
  openSocket,
  world,
}) => {
  const { id, visitor } = await ask('Wo ist meine Bestellung?')
  const customer = openSocket({ token: visitor.token })
  const chat = await customer.join(`conversation:${id}`, { customer_id: visitor.customer_id })
  const team = await openSocket({ token: world.ada.token }).join(`notification:${world.acme.id}`)
  const message = { conversation_id: id, body: 'Sie ist unterwegs.', original_body: 'It is on its way.' }
  const { data: sent } = await as.ben(messages.create, { body: { message } })
  expect(JSON.stringify(sent)).not.toContain('on its way')
  await chat.receive('shout', ({ id: message_id }) => message_id === sent.id)
  expect(await team.receive('messages:translated')).toEqual({ conversation_id: id, language: 'en' })
  expect(await list(id)).toEqual([
    expect.objectContaining({ message_id: sent.id, language: 'en', body: 'It is on its way.', is_original: true }),
  ])
  const seen = await as.holder(visitor.token)(messages.list, { query: { conversation_id: id } })
  expect(JSON.stringify(seen)).toContain('Sie ist unterwegs.')
  expect(JSON.stringify(seen)).not.toContain('on its way')
  expect(customer.frames.join('\n')).toContain('Sie ist unterwegs.')
  expect(customer.frames.join('\n')).not.toContain('on its way')
  // A customer cannot keep anything beside their message.
  const own = { conversation_id: id, body: 'Danke sehr.', original_body: 'Thank you.' }
  await as.holder(visitor.token)(messages.create, { body: { message: own } })
  expect(await list(id)).toHaveLength(1)
})

test('what was written before a scheduled reply was translated comes with it, and back when it is cancelled', async ({
  as,
  ask,
  list,
}) => {
  const { id } = await ask('Wo ist meine Bestellung?')
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const scheduled_message = { conversation_id: id, body: 'Sie kommt.', original_body: 'It is coming to you.', send_at }
  const schedule = async () => (await as.ben(scheduledMessages.create, { body: { scheduled_message } })).data
  const cancelled = await as.ben(scheduledMessages.remove, { params: { id: (await schedule()).id } })
  expect(cancelled.data.original_body).toBe('It is coming to you.')
  await as.ben(scheduledMessages.send, { params: { id: (await schedule()).id } })
  expect((await list(id)).map(({ body }) => body)).toEqual(['It is coming to you.'])
})

test('the agent’s own text is translated without its codes, and what the translation lacks is named', async ({
  as,
  ask,
  model,
}) => {
  const { id } = await ask('Wo ist meine Bestellung?')
  const write = async () => {
    const body = { task: 'translate', text: 'Order AB-1234 leaves in 3 days.', language: 'de', again: true } as const
    const text = String(await as.ben(writingHelp.write, { params: { id }, body }))
    expect(text).not.toContain('[[')
    return JSON.parse(/^event: done\ndata: (.*)$/m.exec(text)![1]!)
  }
  model.next(says('Bestellung [[1]] geht in 3 Tagen raus.'))
  expect(await write()).toMatchObject({ text: 'Bestellung AB-1234 geht in 3 Tagen raus.', missing: [] })
  expect(model.prompts.at(-1)!.text).not.toContain('AB-1234')
  model.next(says('Ihre Bestellung geht in drei Tagen raus.'))
  expect(await write()).toMatchObject({ missing: ['AB-1234', '3'] })
})

test('translations are exported with their customer, and erased with their message and customer', async ({
  as,
  ask,
  server,
  translate,
  list,
}) => {
  const { id, visitor, messages: asked } = await ask('Wo ist meine Bestellung?')
  const { data: sent } = await as.ada(messages.create, {
    body: { message: { conversation_id: id, body: 'Sie kommt.' } },
  })
  await translate(id, [...idsOf(asked), sent.id])
  expect(await list(id)).toHaveLength(2)
  await as.ada(messages.remove, { params: { id: sent.id } })
  expect(await list(id)).toHaveLength(1)
  const params = { id: visitor.customer_id }
  const exported = JSON.stringify(await as.ada(erasure.export, { params }))
  expect(exported).toContain('In English: Wo ist meine Bestellung?')
  await as.ada(erasure.erase, { params })
  const remaining = await server.context.db
    .selectFrom('message_translations')
    .selectAll()
    .where('message_id', '=', asked[0]!.id)
    .execute()
  expect(remaining).toEqual([])
})

test('translations come in pages of whole messages', async ({ as, ask }) => {
  const { id } = await ask('Wo ist meine Bestellung?')
  const rows = []
  for (let at = 0; at < 101; at++) {
    const message = { conversation_id: id, body: `Nachricht ${at} ist hier.`, original_body: `Message ${at} is here.` }
    rows.push((await as.ben(messages.create, { body: { message } })).data.id)
  }
  const first = await as.ben(translations.list, { params: { id } })
  expect(first.data).toHaveLength(100)
  const second = await as.ben(translations.list, { params: { id }, query: { before: first.next! } })
  expect(second.data.map(({ message_id }) => message_id)).toEqual([rows[0]])
  expect(second.next).toBeNull()
})
