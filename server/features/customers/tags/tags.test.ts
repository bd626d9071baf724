import { conversations } from '#contract/conversations/conversations.ts'
import { tags } from '#contract/customers/tags.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { startConversation } from '#tests/support/world.ts'

test('the list counts the open and closed conversations with a tag, and none that is archived', async ({
  as,
  server,
  world,
}) => {
  const add = async (name: string) => (await as.ada(tags.create, { body: { tag: { name } } })).data.id
  const [returns, spares] = [await add('returns'), await add('spares')]
  const begin = async (tag_id: string) => {
    const { conversation_id: id } = await startConversation(server, world.carla, 'About my order')
    await as.ada(tags.addToConversation, { params: { id }, body: { tag_id } })
    return id
  }
  await begin(returns)
  const closed = await begin(returns)
  const archived = await begin(returns)
  const alone = await begin(spares)
  await as.ada(conversations.update, { params: { id: closed }, body: { conversation: { status: 'closed' } } })
  for (const id of [archived, alone]) await as.ada(conversations.archive, { params: { id } })
  const { data } = await as.ada(tags.list, { query: { counts: 'true' } })
  const counted = Object.fromEntries(
    data.map((tag) => [tag.name, 'conversations_count' in tag && tag.conversations_count]),
  )
  expect(counted).toMatchObject({ returns: 2, spares: 0 })
})
