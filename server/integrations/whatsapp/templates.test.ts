import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { whatsapp as calls } from '#contract/integrations/whatsapp.ts'
import { expect, refusalOf } from '#tests/support/fixture.ts'
import {
  answer,
  callAsMeta,
  connect,
  deliveriesOf,
  endWhatsapp,
  findWith,
  sentTo,
  TIMEOUT,
  test,
  textsTo,
  threadOf,
  whatsapp,
  write,
} from '#tests/support/whatsapp.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

test.afterEach(({ as }) => endWhatsapp(as))

const header = { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A-7'] } }
const body = { type: 'BODY', text: 'Hi {{1}}, your {{2}} has left.', example: { body_text: [['Kim', 'hat']] } }
const footer = { type: 'FOOTER', text: 'Acme' }
const named = {
  type: 'BODY',
  text: 'Hi {{name}}!',
  example: { body_text_named_params: [{ param_name: 'name', example: 'Kim' }] },
}
const approved = { status: 'APPROVED', category: 'UTILITY', language: 'en_US' }
const TEMPLATES = [
  { ...approved, name: 'shipped', components: [header, body, footer] },
  { ...approved, name: 'greeting', category: 'MARKETING', components: [named] },
  { ...approved, name: 'waiting', status: 'PENDING', components: [named] },
  { ...approved, name: 'code', category: 'AUTHENTICATION', components: [named] },
  { ...approved, name: 'picture', components: [{ type: 'HEADER', format: 'IMAGE' }, named] },
]

test('24 hours after the last message WhatsApp takes no free text from anybody, but notes and templates', async ({
  as,
  server,
  world,
}) => {
  whatsapp.templates.splice(0, 9, ...TEMPLATES)
  await connect(as, world)
  const person = { number: '4915700000021', name: 'Window' }
  const { id } = await write(as, server, world, person, 'Hello')
  const yesterday = new Date(Date.now() - 60_000).toISOString()
  await server.context.db.updateTable('conversations').set({ reply_until: yesterday }).where('id', '=', id).execute()
  const refusal = await refusalOf(answer(as, id, 'Too late'))
  expect(refusal).toMatchObject({ status: 422, message: expect.stringContaining('Send a template') })
  await answer(as, id, 'A note', { private: true, type: 'note' })
  const { data: list } = await as.ben(calls.templates, { params: { conversation_id: id }, query: {} })
  expect(list.map(({ name }) => name)).toEqual(['greeting', 'shipped'])
  expect(list[1]!.variables).toEqual([
    { key: 'header.1', example: 'A-7' },
    { key: 'body.1', example: 'Kim' },
    { key: 'body.2', example: 'hat' },
  ])
  const send = (draft: object) =>
    as.ben(calls.sendTemplate, {
      params: { conversation_id: id },
      body: { name: 'shipped', language: 'en_US', ...draft },
    })
  expect((await refusalOf(send({ variables: { 'body.1': 'Ida' } }))).message).toBe('Fill in header.1, body.2.')
  expect((await refusalOf(send({ name: 'waiting' }))).status).toBe(422)
  const variables = { 'header.1': 'B-8', 'body.1': 'Ida\n Bo', 'body.2': 'duck' }
  const draft = { id: randomUUID(), variables }
  for (const _ of [1, 2]) await send(draft)
  const foreign = await startConversation(server, await startVisitor(server, world.other.id))
  const taken = await refusalOf(send({ id: String(foreign.message.id), variables }))
  expect(taken).toMatchObject({ status: 422, errors: { id: ['has already been taken'] } })
  const shown = 'Order B-8\n\nHi Ida Bo, your duck has left.\n\nAcme'
  expect((await threadOf(as, id)).filter((message) => message.body === shown)).toHaveLength(1)
  await vi.waitFor(() => expect(sentTo(person.number)).toHaveLength(1), TIMEOUT)
  expect(sentTo(person.number)[0]!.json.template).toEqual({
    name: 'shipped',
    language: { code: 'en_US' },
    components: [
      { type: 'header', parameters: [{ type: 'text', text: 'B-8' }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Ida Bo' },
          { type: 'text', text: 'duck' },
        ],
      },
    ],
  })
  await send({ name: 'greeting', variables: { 'body.name': 'Ida' } })
  await vi.waitFor(() => expect(sentTo(person.number)).toHaveLength(2), TIMEOUT)
  expect(sentTo(person.number)[1]!.json.template).toMatchObject({
    components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ida', parameter_name: 'name' }] }],
  })
  // The customer's next message opens the window again.
  await write(as, server, world, person, 'Thanks')
  await answer(as, id, 'You are welcome')
  await vi.waitFor(() => expect(textsTo(person.number).at(-1)).toBe('You are welcome'), TIMEOUT)
})

test('a message that arrives late opens the window from when it was written, and never shortens it', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const person = { number: '4915700000022', name: 'Late' }
  const late = {
    type: 'text',
    text: { body: 'From yesterday' },
    timestamp: String(Math.floor(Date.now() / 1000) - 90_000),
  }
  await callAsMeta(server, world, whatsapp.say(person, late))
  const { id, reply_until } = await findWith(as, 'Late', 'From yesterday')
  expect(Date.parse(reply_until!)).toBeLessThan(Date.now())
  expect((await refusalOf(answer(as, id, 'Hm'))).status).toBe(422)
  const { reply_until: now } = await write(as, server, world, person, 'And today')
  await callAsMeta(server, world, whatsapp.say(person, { ...late, text: { body: 'Later still' } }))
  await findWith(as, 'Late', 'Later still')
  expect((await as.ben(conversations.get, { params: { id } })).data.reply_until).toBe(now)
})

test('a reply whose window closed before it left is failed with what to do', async ({ as, server, world }) => {
  await connect(as, world)
  const person = { number: '4915700000023', name: 'Closing' }
  const { id } = await write(as, server, world, person, 'Hello')
  whatsapp.closeWindow(person.number)
  await answer(as, id, 'Too slow')
  await vi.waitFor(async () => {
    expect(await deliveriesOf(as, id)).toMatchObject([
      { state: 'failed', problem: expect.stringContaining('Send a template') },
    ])
  }, TIMEOUT)
})
