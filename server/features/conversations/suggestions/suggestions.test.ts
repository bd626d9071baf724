import { conversations } from '#contract/conversations/conversations.ts'
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
  .extend('ask', ({ server, world, as, replies: _ }) => async (text: string, customer = {}) => {
    const visitor = await startVisitor(server, world.acme.id, customer)
    const { conversation_id } = await startConversation(server, visitor, text)
    const read = async () => (await as.ben(suggestions.get, { params: { id: conversation_id } })).data
    return { conversation_id, read, names: async () => (await read()).saved_replies.map(({ name }) => name) }
  })
  /** A conversation in which somebody asked and the team answered, closed or not. */
  .extend(
    'solve',
    ({ server, world, as }) =>
      async (question: string, answers: string[], { customer = {}, status = 'closed' as 'open' | 'closed' } = {}) => {
        const visitor = await startVisitor(server, world.acme.id, customer)
        const { conversation_id } = await startConversation(server, visitor, question)
        const post = (body: string, more: object = {}) =>
          as.ben(messages.create, { body: { message: { conversation_id, body, ...more } } })
        for (const answer of answers) await post(answer)
        const update = (conversation: object) =>
          as.ben(conversations.update, { params: { id: conversation_id }, body: { conversation } })
        await update({ status })
        return { id: conversation_id, visitor, post, update }
      },
  )

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

test('what the team answered to a similar question in a closed conversation is offered with its sentence', async ({
  ask,
  solve,
}) => {
  const question = 'Hello! The dimmer of my lamp hums loudly in the evening. Thank you.'
  const { id, post } = await solve(question, ['Please use a bulb that can be dimmed.', 'We gladly send you one.'])
  await post('The customer is difficult', { private: true, type: 'note' })
  const { read } = await ask('Why does the dimmer hum?')
  const [first] = (await read()).solved
  expect(first).toMatchObject({
    conversation_id: id,
    asked: { text: 'The dimmer of my lamp hums loudly in the evening.' },
    answer: 'Please use a bulb that can be dimmed.\n\nWe gladly send you one.',
  })
  expect(first!.asked.ranges.map(({ start, end }) => first!.asked.text.slice(start, end))).toContain('dimmer')
  expect(JSON.stringify(await read())).not.toContain('difficult')
})

test('nothing of an answer or its question tells who the other customer is', async ({ ask, solve }) => {
  const customer = { name: 'Dora Reyes', email: 'dora@customer.test', phone: '+49 170 1234567', external_id: 'crm-d9' }
  await solve(
    'Dora Reyes here, dora@customer.test, order LO-20417 #4711, crm-d9: my velvet armchair squeaks',
    [
      'Dear Dora, call +49 170 1234567 about the velvet armchair LO-20417 or write to dora@customer.test. ' +
        'We refund 4111 1111 1111 1111 or DE89 3704 0044 0532 0130 00, voucher QX7RT29A. ' +
        'Sign in at https://shop.example/login?key=s3cr3t-key#top, the oil is at https://shop.example/oil.',
    ],
    { customer },
  )
  const [first] = (await (await ask('The velvet armchair squeaks')).read()).solved
  expect(first!.answer).toBe(
    'Dear […], call [000] about the velvet armchair [000] or write to […@…]. ' +
      'We refund [000] or [000], voucher [000]. ' +
      'Sign in at https://shop.example/login?[…], the oil is at https://shop.example/oil.',
  )
  expect(first!.asked.text).toBe('[…] here, […@…], order [000] [000], […]: my velvet armchair squeaks')
})

test('only answered, closed conversations of the account that are not deleted are offered', async ({
  as,
  ask,
  solve,
  server,
  world,
}) => {
  const answer = ['Turn the marble slab around and wait for an hour.']
  await solve('The marble slab wobbles', answer, { status: 'open' })
  await solve('The marble slab wobbles', [])
  await solve('The marble slab wobbles', ['Yes.'])
  const deleted = await solve('The marble slab wobbles', answer)
  await as.ben(conversations.archive, { params: { id: deleted.id } })
  const foreign = await startConversation(server, await startVisitor(server, world.other.id), 'The marble slab wobbles')
  const message = { conversation_id: foreign.conversation_id, body: 'Foreign words that answer it well.' }
  await as.olga(messages.create, { body: { message } })
  const params = { id: foreign.conversation_id }
  await as.olga(conversations.update, { params, body: { conversation: { status: 'closed' } } })
  const { read } = await ask('Our marble slab wobbles')
  expect((await read()).solved).toEqual([])
  const { id } = await solve('The marble slab wobbles', answer)
  // The same answer is offered once.
  await solve('A marble slab that wobbles', answer)
  expect((await read()).solved.map(({ answer }) => answer)).toEqual(answer)
  expect(id).toBeTruthy()
})

test('conversations in the language of the customer come first', async ({ ask, solve }) => {
  const text = 'Thermostat Modell Zirkon'
  const answers = { fr: 'Appuyez dix secondes sur le bouton.', en: 'Press the button for ten seconds.' }
  await solve(`${text} !`, [answers.fr], { customer: { browser_language: 'fr-FR' } })
  await solve(`${text}, please`, [answers.en], { customer: { browser_language: 'en-GB' } })
  const offeredTo = async (browser_language: string) =>
    (await (await ask(text, { browser_language })).read()).solved.map(({ answer }) => answer)
  expect(await offeredTo('fr')).toEqual([answers.fr, answers.en])
  expect(await offeredTo('en-US')).toEqual([answers.en, answers.fr])
})
