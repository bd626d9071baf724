import { conversations } from '#contract/conversations/conversations.ts'
import { apiKeys } from '#contract/developers/api-keys.ts'
import { test as base, post } from '#tests/support/channels.ts'
import { expect } from '#tests/support/fixture.ts'
import { invokeFunction, startFunction } from '#tests/support/functions.ts'
import { postMessage } from './posting.ts'

const SENTENCE = /no mail server is set up/

const test = base
  .extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
  /** A conversation by mail of an installation without a mail server. */
  .extend('conversation_id', async ({ as, world }) => {
    const conversation = { customer_id: world.carla.customer_id, source: 'email' as const }
    return (await as.ada(conversations.create, { body: { conversation } })).data.id
  })

test('a reply that nothing can send is refused by HTTP, socket and API alike, and a note is not', async ({
  as,
  conversation_id,
  joinTeam,
}) => {
  const team = await joinTeam()
  const { data: key } = await as.ada(apiKeys.create, { body: { label: 'Answers' } })
  await expect(post(as.ada, { conversation_id, body: 'By HTTP' })).rejects.toThrow(SENTENCE)
  await expect(team.push('shout', { conversation_id, body: 'By socket' })).rejects.toThrow(SENTENCE)
  await expect(post(as.holder(key.value), { conversation_id, body: 'By API' })).rejects.toThrow(SENTENCE)
  await expect(post(as.holder(key.value), { conversation_id, body: 'Bot', type: 'bot' })).rejects.toThrow(SENTENCE)
  await team.push('shout', { conversation_id, body: 'A note', type: 'note' })
  await post(as.ada, { conversation_id, body: 'Another note', private: true })
  const { messages } = (await as.ada(conversations.get, { params: { id: conversation_id } })).data
  expect(messages.map(({ body }) => body).sort()).toEqual(['A note', 'Another note'])
})

test('a function is refused such a reply as well', async ({ as, server, conversation_id }) => {
  server.context.config.baseUrl = server.url
  const startedFunction = await startFunction(
    as.ada,
    `const client = require('parley')()
     const handler = ({payload}) => client.messages.create(payload).then(() => 'sent', ({status, message}) => status + ' ' + message)`,
  )
  const { data } = await invokeFunction(as.ada, startedFunction, { conversation_id, body: 'By function' })
  expect(data).toMatch(SENTENCE)
  expect(data).toMatch(/^422 /)
})

test('whoever posts a reply is refused where nothing can send it, and what came as a mail is not', async ({
  server,
  world,
  conversation_id,
}) => {
  const { context } = server
  const author = { kind: 'user' as const, user_id: world.ada.id }
  const send = (more: object) =>
    context.change((tx) => postMessage(context, tx, world.acme.id, author, { conversation_id, body: 'Hi', ...more }))
  for (const source of ['slack', 'mattermost', 'sms', 'api'] as const)
    await expect(send({ source })).rejects.toThrow(SENTENCE)
  expect(await send({ email: { subject: 'From my phone', html: null } })).toMatchObject({ body: 'Hi' })
})
