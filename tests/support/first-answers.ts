import { randomUUID } from 'node:crypto'
import { languageModel } from '#contract/connections/language-model.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { articles } from '#contract/help/articles.ts'
import { firstAnswers } from '#contract/help/first-answers.ts'
import { helpCenter } from '#contract/help/help-center.ts'
import { type FirstAnswers, inboxes } from '#contract/widget/inboxes.ts'
import { quotesSources, startChatModel } from '#tests/emulators/chat-model.ts'
import { test as base, expect } from './fixture.ts'
import { startConversation, startVisitor, type VisitorInWorld } from './world.ts'

/** What the assistant writes when a person is to go on. */
export const HANDED_OVER = 'I have passed your question on to our team. A person will answer you here.'

/** A published article, visitors whom the assistant answers first, and what came of it. */
export const test = base
  .extend('articleIds', { scope: 'file' }, async ({ as }) => {
    const body = 'Send an oak lamp back within thirty days. Put it into its box.'
    const article = { language: 'en', title: 'Returning a lamp', body }
    await as.ada(helpCenter.update, { body: { help_center: { is_published: true, slug: 'acme-first-answers' } } })
    const { data } = await as.ada(articles.create, { body: { article } })
    await as.ada(articles.publish, { params: { id: data.id, language: 'en' }, body: {} })
    return [data.id]
  })
  .extend('setFirstAnswers', ({ as, world }) => async (first_answers: FirstAnswers) => {
    await as.ada(inboxes.update, { params: { id: world.website.id }, body: { inbox: { first_answers } } })
  })
  /** A visitor writes a first message where the assistant always answers. */
  .extend('ask', ({ server, world, articleIds, setFirstAnswers }) => async (question: string, isOn = true) => {
    expect(articleIds).toHaveLength(1)
    await setFirstAnswers(isOn ? 'always' : 'never')
    const visitor = await startVisitor(server, world.acme.id, { name: 'Vera' })
    const { conversation_id, message } = await startConversation(server, visitor, question)
    return { visitor, conversation_id, message_id: message.id as string }
  })
  /** A visitor has opened a chat that the assistant holds, and not written yet. */
  .extend('begin', ({ server, world, setFirstAnswers }) => async (first_answers: FirstAnswers = 'always') => {
    await setFirstAnswers(first_answers)
    const visitor = await startVisitor(server, world.acme.id, { name: 'Vera' })
    const { body } = await server.request('POST', '/api/conversations', {
      token: visitor.token,
      body: { conversation: {} },
    })
    return { visitor, conversation_id: body.data.id as string }
  })
  .extend('write', ({ server }) => async (visitor: VisitorInWorld, conversation_id: string, body: string) => {
    const message = { id: randomUUID(), conversation_id, body }
    const answer = await server.request('POST', '/api/messages', { token: visitor.token, body: { message } })
    expect(answer.status).toBe(201)
    return message.id
  })
  .extend('conversation', ({ as }) => async (id: string) => {
    return (await as.ben(conversations.get, { params: { id }, query: {} })).data
  })
  /** The conversation once the assistant's turn has ended. */
  .extend('ended', ({ conversation }) => async (id: string, state: string) => {
    await expect.poll(async () => (await conversation(id)).assistant, { timeout: 20_000 }).toBe(state)
    return conversation(id)
  })
  .extend('written', ({ as }) => async (conversation_id: string) => {
    const { data } = await as.ben(messages.list, { query: { conversation_id } })
    return data.reverse().filter(({ by_assistant }) => by_assistant)
  })

export const QUESTION = 'How do I send a lamp back?'

/** As above, with a model that quotes articles until a test says otherwise. */
export const testWithModel = test
  .extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
  .extend('setModel', ({ as }) => async (body: BodyInput<typeof languageModel.change>) => {
    await as.ada(languageModel.change, { body: { model: 'small', is_enabled: true, ...body } })
  })
  .extend('model', async ({ setModel }, { onCleanup }) => {
    const model = await startChatModel()
    onCleanup(() => model.close())
    await setModel({ base_url: model.url, tokens_per_month: 100_000_000 })
    model.usual = quotesSources
    model.prompts.length = 0
    return model
  })
  /** What became of a message of a customer, once something did. */
  .extend('outcomeOf', ({ as }) => async (message_id: string) => {
    const find = async () => (await as.ben(firstAnswers.list)).data.find(({ id }) => id === message_id)
    await expect.poll(find, { timeout: 30_000 }).toBeDefined()
    return (await find())!
  })
