import { messages } from '#contract/conversations/messages.ts'
import { savedReplies } from '#contract/conversations/saved-replies.ts'
import { suggestions } from '#contract/conversations/suggestions.ts'
import { articles } from '#contract/help/articles.ts'
import { helpCenter } from '#contract/help/help-center.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const REPLIES = {
  'Return policy': 'You can send unused lamps back within thirty days. We pay for the parcel.',
  'Opening hours': 'Our workshop is open from nine to five, Monday to Friday.',
  'Kaputte Lieferung': 'Das tut uns leid. Bitte schicken Sie uns ein Foto der zerbrochenen Lampe.',
  Thanks: 'You are welcome, and please write again.',
}

const test = base
  .extend('replies', { scope: 'file' }, async ({ as }) => {
    for (const [name, content] of Object.entries(REPLIES))
      await as.ada(savedReplies.create, { body: { canned_response: { name, content } } })
  })
  .extend('ask', ({ server, world, as, replies: _ }) => async (text: string) => {
    const { conversation_id } = await startConversation(server, await startVisitor(server, world.acme.id), text)
    const read = async () => (await as.ben(suggestions.get, { params: { id: conversation_id } })).data
    return { conversation_id, read, names: async () => (await read()).saved_replies.map(({ name }) => name) }
  })

test.for([
  ['Can I return a lamp that I have not used?', 'Return policy'],
  ['When does the workshop open on Friday?', 'Opening hours'],
  ['Die Lieferung kam zerbrochen an', 'Kaputte Lieferung'],
] as const)('“%s” is met by the saved reply “%s”, with the part that fits', async ([question, name], { ask }) => {
  const { read } = await ask(question)
  const [first] = (await read()).saved_replies
  expect(first?.name).toBe(name)
  expect(first!.excerpt.ranges.length).toBeGreaterThan(0)
})

test('words that say nothing suggest nothing', async ({ ask }) => {
  expect(await (await ask('Xylophone quartz?')).names()).toEqual([])
})

test('once the team has answered nothing is suggested, until the customer writes again', async ({ ask, as }) => {
  const { conversation_id, names } = await ask('Can I return it?')
  expect(await names()).toContain('Return policy')
  await as.ben(messages.create, { body: { message: { conversation_id, body: 'Yes.' } } })
  expect(await names()).toEqual([])
  await as.ben(messages.create, { body: { message: { conversation_id, body: 'A note', type: 'note', private: true } } })
  const { data } = await as.ben(messages.list, { query: { conversation_id } })
  const customer_id = data.find((message) => message.customer_id)!.customer_id
  const message = { conversation_id, customer_id, body: 'And when is the workshop open?' }
  await as.ada(messages.create, { body: { message } })
  expect(await names()).toEqual(['Opening hours'])
})

test('articles are suggested once the help center is published', async ({ ask, as }) => {
  const article = { language: 'en', title: 'Cleaning brass', body: 'Polish brass with a soft cloth.' }
  const { data } = await as.ada(articles.create, { body: { article } })
  await as.ada(articles.publish, { params: { id: data.id, language: 'en' }, body: {} })
  const { read } = await ask('How do I clean brass?')
  expect((await read()).articles).toEqual([])
  await as.ada(helpCenter.update, { body: { help_center: { is_published: true, slug: 'acme-suggestions' } } })
  expect((await read()).articles.map(({ title }) => title)).toEqual(['Cleaning brass'])
})

test('nobody of another company gets any', async ({ ask, as }) => {
  const { conversation_id } = await ask('Can I return it?')
  await expect(as.olga(suggestions.get, { params: { id: conversation_id } })).rejects.toThrow('Not found')
})
