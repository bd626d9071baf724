import { deadlines } from '#contract/conversations/deadlines.ts'
import { tags } from '#contract/customers/tags.ts'
import { articles } from '#contract/help/articles.ts'
import { firstAnswers } from '#contract/help/first-answers.ts'
import { quotesSources, says } from '#tests/emulators/chat-model.ts'
import { HANDED_OVER, QUESTION, testWithModel as test } from '#tests/support/first-answers.ts'
import { expect } from '#tests/support/fixture.ts'
import { createRule, deleteRules, eventsOf } from '#tests/support/rules.ts'
import { startConversation } from '#tests/support/world.ts'

const POLL = { timeout: 20_000 }

test('once the tokens of the month are used up, the model is not asked: the three best articles are named, and a person goes on', async ({
  as,
  ask,
  model,
  outcomeOf,
  setModel,
}) => {
  for (const kind of ['desk', 'floor', 'wall']) {
    const article = {
      language: 'en',
      title: `Sending a ${kind} lamp back`,
      body: `Put the ${kind} lamp into its box.`,
    }
    const { data } = await as.ada(articles.create, { body: { article } })
    await as.ada(articles.publish, { params: { id: data.id, language: 'en' }, body: {} })
  }
  await setModel({ base_url: model.url, tokens_per_month: 100 })
  model.prompts.length = 0
  const { message_id } = await ask(QUESTION)
  const outcome = await outcomeOf(message_id)
  expect(outcome).toMatchObject({ kind: 'handed_over', reason: 'no_model', outcome: 'handed_over' })
  expect(outcome.articles).toHaveLength(3)
  expect(model.prompts).toEqual([])
})

test('if the server of the model is gone, articles are named, and a person goes on', async ({
  ask,
  model,
  outcomeOf,
}) => {
  await model.close()
  const { message_id } = await ask(QUESTION)
  expect(await outcomeOf(message_id)).toMatchObject({ kind: 'handed_over', reason: 'no_model' })
})

test('a customer whose answer takes long delays nobody else’s', async ({ ask, model, outcomeOf }) => {
  const slow = Promise.withResolvers<void>()
  model.next(async (response, prompt) => {
    await slow.promise
    return says('UNKNOWN')(response, prompt)
  })
  const first = await ask(QUESTION)
  await expect.poll(() => model.prompts.length, POLL).toBe(1)
  const second = await ask(QUESTION)
  expect(await outcomeOf(second.message_id)).toMatchObject({ kind: 'answer' })
  slow.resolve()
  // Asked back, so its model was still waited for.
  expect(await outcomeOf(first.message_id)).toMatchObject({ kind: 'asked_back' })
})

test('who writes again before the answer gets one answer, to both messages', async ({
  as,
  ask,
  model,
  outcomeOf,
  write,
  written,
}) => {
  const slow = Promise.withResolvers<void>()
  model.next(async (response, prompt) => {
    await slow.promise
    return quotesSources(response, prompt)
  })
  const { visitor, conversation_id, message_id } = await ask('How do I send a lamp')
  await expect.poll(() => model.prompts.length, POLL).toBe(1)
  const second = await write(visitor, conversation_id, 'of oak back?')
  expect(await outcomeOf(second)).toMatchObject({ kind: 'answer', outcome: 'no_reaction' })
  expect(model.prompts[1]!.text).toContain('How do I send a lamp\n\nof oak back?')
  slow.resolve()
  // The late answer has been written, and dropped, once another question is answered.
  await outcomeOf((await ask(QUESTION)).message_id)
  expect(await written(conversation_id)).toHaveLength(1)
  expect((await as.ben(firstAnswers.list)).data.some(({ id }) => id === message_id)).toBe(false)
})

test.for([
  ['asked_for_person', 'I want a person'],
  ['angry', 'This is bullshit'],
] as const)(
  'after an answer, too, the assistant hands over at once (%s), and is silent from then on',
  async ([reason, message], { ask, conversation, model, outcomeOf, write, written }) => {
    expect(model.prompts).toEqual([])
    const { visitor, conversation_id, message_id } = await ask(QUESTION)
    expect(await outcomeOf(message_id)).toMatchObject({ kind: 'answer' })
    const asked = model.prompts.length
    const second = await write(visitor, conversation_id, message)
    expect(await outcomeOf(second)).toMatchObject({ kind: 'handed_over', reason })
    expect(await conversation(conversation_id)).toMatchObject({ assistant: 'handed_over', read: false })
    await write(visitor, conversation_id, QUESTION)
    await outcomeOf((await ask(QUESTION)).message_id)
    const public_ones = (await written(conversation_id)).filter((message) => !message.private)
    expect(public_ones).toHaveLength(2)
    expect(public_ones[1]!.body).toBe(HANDED_OVER)
    expect(model.prompts).toHaveLength(asked + 1)
  },
)

test('after ten answers in a conversation, and twenty for a customer in a day, a person goes on', {
  timeout: 120_000,
}, async ({ ask, model, outcomeOf, server, write }) => {
  const { visitor, ...first } = await ask(QUESTION)
  const isAnswered = async (message_id: string) => {
    expect(await outcomeOf(message_id)).toMatchObject({ kind: 'answer', reason: null })
  }
  /** Otherwise all of them would be written within a minute. */
  const passTime = async (conversation_id: string) => {
    const { db } = server.context
    const created_at = new Date(Date.now() - 120_000).toISOString()
    await db.updateTable('messages').set({ created_at }).where('conversation_id', '=', conversation_id).execute()
  }
  const askMore = async (conversation_id: string) => {
    for (let more = 0; more < 9; more++) {
      await passTime(conversation_id)
      await isAnswered(await write(visitor, conversation_id, QUESTION))
    }
    await passTime(conversation_id)
  }
  await isAnswered(first.message_id)
  await askMore(first.conversation_id)
  const asked = model.prompts.length
  const eleventh = await write(visitor, first.conversation_id, QUESTION)
  expect(await outcomeOf(eleventh)).toMatchObject({ kind: 'handed_over', reason: 'too_many', answer: HANDED_OVER })
  expect(model.prompts).toHaveLength(asked)

  // The one that handed over counts: it was written as well.
  const second = await startConversation(server, visitor, QUESTION)
  await isAnswered(second.message.id)
  for (let more = 0; more < 8; more++) {
    await passTime(second.conversation_id)
    await isAnswered(await write(visitor, second.conversation_id, QUESTION))
  }
  const third = await startConversation(server, visitor, QUESTION)
  expect(await outcomeOf(third.message.id)).toMatchObject({ kind: 'handed_over', reason: 'too_many' })
})

test('who writes more than eight messages within a minute gets a person', async ({
  ask,
  ended,
  model,
  outcomeOf,
  write,
}) => {
  model.usual = says('UNKNOWN')
  const { visitor, conversation_id, message_id } = await ask(QUESTION)
  await outcomeOf(message_id)
  model.usual = quotesSources
  let last = message_id
  for (let more = 0; more < 8; more++) last = await write(visitor, conversation_id, `${QUESTION} ${more}`)
  expect(await outcomeOf(last)).toMatchObject({ kind: 'handed_over', reason: 'too_many' })
  await ended(conversation_id, 'handed_over')
})

test('an answer of the assistant is no reply to a deadline: it stays open, before and after it hands over', async ({
  as,
  ask,
  conversation,
  ended,
  model,
  outcomeOf,
  write,
}) => {
  expect(model.prompts).toEqual([])
  const policy = { name: 'All', in_working_hours: false, first_reply_minutes: 60 }
  const { data: created } = await as.ada(deadlines.createPolicy, { body: { policy } })
  const { visitor, conversation_id, message_id } = await ask(QUESTION)
  expect(await outcomeOf(message_id)).toMatchObject({ kind: 'answer' })
  const { created_at } = await conversation(conversation_id)
  const due = {
    due_kind: 'first_reply',
    due_at: new Date(Date.parse(created_at) + 3_600_000).toISOString(),
    first_replied_at: null,
  }
  await expect.poll(() => conversation(conversation_id), POLL).toMatchObject(due)
  await write(visitor, conversation_id, 'I want a person')
  await ended(conversation_id, 'handed_over')
  // What the consumer of deadlines does about both is done once it has seen a later event.
  const later = await ask(QUESTION)
  await expect.poll(async () => (await conversation(later.conversation_id)).due_kind, POLL).toBe('first_reply')
  expect(await conversation(conversation_id)).toMatchObject(due)
  const { data } = await as.ben(deadlines.ofConversation, { params: { id: conversation_id } })
  expect(data.filter(({ done_at }) => done_at !== null)).toEqual([])
  await as.ada(deadlines.removePolicy, { params: { id: created.id } })
})

test('rules see what customers write while the assistant answers; its answer is no message of the team to them', async ({
  as,
  ask,
  conversation,
  model,
  outcomeOf,
}) => {
  expect(model.prompts).toEqual([])
  const [seen, replied] = await Promise.all(
    ['seen', 'replied'].map(async (name) => (await as.ada(tags.create, { body: { tag: { name } } })).data.id),
  )
  await createRule(as, { actions: [{ action: 'add_tag', tag_id: seen! }] })
  await createRule(as, { trigger: { on: 'team_message' }, actions: [{ action: 'add_tag', tag_id: replied! }] })
  const { conversation_id, message_id } = await ask(QUESTION)
  expect(await outcomeOf(message_id)).toMatchObject({ kind: 'answer' })
  await eventsOf(as, conversation_id)
  const later = await ask(QUESTION)
  await eventsOf(as, later.conversation_id)
  const tagged = async () => (await conversation(conversation_id)).tags.map(({ name }) => name)
  await expect.poll(tagged, POLL).toEqual(['seen'])
  expect((await conversation(conversation_id)).assistant).toBe('answering')
  await deleteRules(as)
  for (const id of [seen!, replied!]) await as.ada(tags.remove, { params: { id } })
})
