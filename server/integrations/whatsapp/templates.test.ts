import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { whatsapp as calls } from '#contract/integrations/whatsapp.ts'
import { expect, refusalOf } from '#tests/support/fixture.ts'
import { PIXEL, upload } from '#tests/support/uploads.ts'
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
  {
    ...approved,
    name: 'picture',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      named,
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Thanks' },
          { type: 'URL', text: 'Track', url: 'https://acme.example/t/{{1}}', example: ['A-7'] },
          { type: 'COPY_CODE', text: 'Copy code', example: 'HATS10' },
          { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+15550783881' },
        ],
      },
    ],
  },
  {
    ...approved,
    name: 'form',
    components: [named, { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Open', flow_id: '1' }] }],
  },
  { ...approved, name: 'place', components: [{ type: 'HEADER', format: 'LOCATION' }, named] },
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
  expect(list.map(({ name }) => name)).toEqual(['greeting', 'picture', 'shipped'])
  expect(list[2]!.variables).toEqual([
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

test('a template is sent with its picture, the end of an address and a code', async ({ as, server, world }) => {
  whatsapp.templates.splice(0, 9, ...TEMPLATES)
  await connect(as, world)
  const person = { number: '4915700000026', name: 'Picture' }
  const { id } = await write(as, server, world, person, 'Hello')
  const { data: list } = await as.ben(calls.templates, {
    params: { conversation_id: id },
    query: { refresh: 'true' },
  })
  expect(list.find(({ name }) => name === 'picture')).toMatchObject({
    header: null,
    header_media: 'image',
    buttons: [
      { text: 'Thanks', url: null },
      { text: 'Track', url: 'https://acme.example/t/{{1}}' },
      { text: 'Copy code', url: null },
      { text: 'Call us', url: 'tel:+15550783881' },
    ],
    variables: [
      { key: 'body.name', example: 'Kim' },
      { key: 'url.1', example: 'A-7' },
      { key: 'code.2', example: 'HATS10' },
    ],
  })
  const variables = { 'body.name': 'Ida', 'url.1': 'B-8', 'code.2': 'DUCK5' }
  const send = (file_id?: string) =>
    as.ben(calls.sendTemplate, {
      params: { conversation_id: id },
      body: { name: 'picture', language: 'en_US', variables, ...(file_id && { file_id }) },
    })
  const paper = await upload(server, world, 'offer.txt', Buffer.from('An offer'))
  for (const wrong of [undefined, paper, randomUUID()])
    expect((await refusalOf(send(wrong))).message).toBe(
      'This template needs a JPEG or PNG picture of at most 5 MB as its heading.',
    )
  const picture = await upload(server, world, 'hat.png', PIXEL)
  const { data: message } = await send(picture)
  expect(message.body).toBe(
    'Hi Ida!\n\nThanks\nTrack: https://acme.example/t/B-8\nCopy code: DUCK5\nCall us: +15550783881',
  )
  expect(message.attachments).toMatchObject([{ filename: 'hat.png' }])
  await vi.waitFor(() => expect(sentTo(person.number)).toHaveLength(1), TIMEOUT)
  expect(sentTo(person.number)[0]!.json.template).toEqual({
    name: 'picture',
    language: { code: 'en_US' },
    components: [
      { type: 'header', parameters: [{ type: 'image', image: { id: expect.any(String) } }] },
      { type: 'body', parameters: [{ type: 'text', text: 'Ida', parameter_name: 'name' }] },
      { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'B-8' }] },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: '2',
        parameters: [{ type: 'coupon_code', coupon_code: 'DUCK5' }],
      },
    ],
  })
})

test('a template to somebody who may have asked for no more messages needs a confirmation, too', async ({
  as,
  server,
  world,
}) => {
  whatsapp.templates.splice(0, 9, ...TEMPLATES)
  await connect(as, world)
  const person = { number: '4915700000029', name: 'In doubt' }
  const { id } = await write(as, server, world, person, 'Please stop writing about hats')
  const send = (more: object) =>
    as.ben(calls.sendTemplate, {
      params: { conversation_id: id },
      body: { name: 'greeting', language: 'en_US', variables: { 'body.name': 'Ida' }, ...more },
    })
  expect(await refusalOf(send({}))).toMatchObject({ status: 422, reason: 'possible_opt_out' })
  expect(await refusalOf(answer(as, id, 'Hats!'))).toMatchObject({ status: 422, reason: 'possible_opt_out' })
  await send({ send_anyway: true })
  await vi.waitFor(() => expect(sentTo(person.number)).toHaveLength(1), TIMEOUT)
  await answer(as, id, 'Only this once')
  await vi.waitFor(() => expect(textsTo(person.number).at(-1)).toBe('Only this once'), TIMEOUT)
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
