import { conversations } from '#contract/conversations/conversations.ts'
import { post, test } from '#tests/support/channels.ts'
import { expect } from '#tests/support/fixture.ts'

const SENTENCE = /no mail server is set up/

test('a reply that nothing can send is refused by HTTP and by socket alike, and a note is not', async ({
  as,
  world,
  joinTeam,
}) => {
  const conversation = { customer_id: world.carla.customer_id, source: 'email' as const }
  const { data } = await as.ada(conversations.create, { body: { conversation } })
  const conversation_id = data.id
  const team = await joinTeam()
  await expect(post(as.ada, { conversation_id, body: 'By HTTP' })).rejects.toThrow(SENTENCE)
  await expect(team.push('shout', { conversation_id, body: 'By socket' })).rejects.toThrow(SENTENCE)
  await team.push('shout', { conversation_id, body: 'A note', type: 'note' })
  await post(as.ada, { conversation_id, body: 'Another note', private: true })
  const { messages } = (await as.ada(conversations.get, { params: { id: conversation_id } })).data
  expect(messages.map(({ body }) => body).sort()).toEqual(['A note', 'Another note'])
})
