import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Message } from '#contract/conversations/messages.ts'
import { callUntilAnswered, openConversation, register } from '#tests/chaos/clients.ts'
import { hangs, quotesSources, startChatModel } from '#tests/emulators/chat-model.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { test } from '#tests/support/first-answers.ts'
import { expect } from '#tests/support/fixture.ts'
import { KEY, startTestServer } from '#tests/support/server.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { answerMessage, handOverLate } from './answering.ts'

test('two servers answer each question once, also if both take it at the same time', async ({
  ask,
  ended,
  server,
  world,
  written,
}) => {
  const second = await startTestServer({}, undefined, server.database)
  onTestFinished(() => second.close())
  for (let question = 0; question < 5; question++) {
    const { conversation_id, message_id } = await ask('How do I send a lamp back?')
    const job = { account_id: world.acme.id, message_id }
    await Promise.all([
      answerMessage.run(server.context, job),
      answerMessage.run(second.context, job),
      handOverLate(second.context, world.acme.id, message_id),
    ])
    await ended(conversation_id, 'handed_over')
    const messages = await written(conversation_id)
    expect(messages.map((message) => message.private)).toEqual([false, true])
  }
})

const ARTICLE = { language: 'en', title: 'Returning a lamp', body: 'Send an oak lamp back within thirty days.' }

test('if the server is killed between a question and its answer, another one answers it, once', {
  timeout: 240_000,
}, async () => {
  const database = await freshDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-killed-'))
  const model = await startChatModel()
  const settings = { TEST_DATABASE: JSON.stringify(database.connection), REACHABLE_HOSTS: '127.0.0.1', ...KEY }
  const [first, second] = [
    new ServerProcess(await freePort(), dataDir, settings),
    new ServerProcess(await freePort(), dataDir, settings),
  ]
  const running = new Set([first])
  onTestFinished(async () => {
    for (const server of running) await server.stop()
    await model.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  let { url } = await first.start()
  const { account_id, token } = await register(url, 'killed@acme.test')
  const send = async (method: string, path: string, body?: object, as = token) => {
    const answer = await callUntilAnswered(url, method, path, body, as)
    expect(answer.status, `${method} ${path}`).toBeLessThan(300)
    return answer.body.data
  }
  await send('PUT', '/api/language_model_settings', { base_url: model.url, model: 'small', is_enabled: true })
  await send('PUT', '/api/help_center', { help_center: { is_published: true } })
  const { id: article_id } = await send('POST', '/api/articles', { article: ARTICLE })
  await send('POST', `/api/articles/${article_id}/translations/en/publish`, {})
  const { id: inbox_id } = await send('GET', '/api/inboxes/primary')
  await send('PUT', `/api/inboxes/${inbox_id}`, { inbox: { first_answers: 'always' } })
  /** A new visitor asks; returns what the assistant has written to them. */
  const ask = async () => {
    const visitor = await openConversation(url, account_id)
    const { conversation_id } = visitor
    const message = { id: randomUUID(), conversation_id, body: 'How do I send a lamp back?' }
    await send('POST', '/api/messages', { message }, visitor.token)
    return async () => {
      const written = await send('GET', `/api/messages?${new URLSearchParams({ conversation_id })}`)
      return (written as Message[]).filter(({ by_assistant }) => by_assistant).map(({ body }) => body)
    }
  }

  model.usual = hangs()
  model.prompts.length = 0
  const answers = await ask()
  await expect.poll(() => model.prompts.length, { timeout: 30_000 }).toBe(1)
  running.delete(first)
  await first.kill()
  model.usual = quotesSources
  running.add(second)
  ;({ url } = await second.start())
  await expect.poll(answers, { timeout: 180_000, interval: 500 }).toHaveLength(1)
  expect((await answers())[0]).toContain('Send an oak lamp back within thirty days.')
  // Later questions are answered as well, and nothing is added to the first answer.
  const later = await ask()
  await expect.poll(later, { timeout: 30_000 }).toHaveLength(1)
  expect(await answers()).toHaveLength(1)
})
