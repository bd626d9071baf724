import { languageModel } from '#contract/connections/language-model.ts'
import { hangs, says, startChatModel } from '#tests/emulators/chat-model.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { complete } from './complete.ts'

const test = base
  .extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
  .extend('extra', { scope: 'file' }, { timing: { answerStart: 1000, answerPause: 1000, answerTrial: 1000 } })

test('a model that keeps silent is left, before and within its answer, and on saving', async ({
  as,
  server,
  world,
}) => {
  const model = await startChatModel()
  const body = { base_url: model.url, model: 'small', is_enabled: true }
  model.next(hangs())
  await expect(as.ada(languageModel.change, { body })).rejects.toThrow(/takes too long/)
  await as.ada(languageModel.change, { body })
  for (const behaviour of [hangs(), hangs('Dear')]) {
    model.next(behaviour)
    const pieces: string[] = []
    const asked = async () => {
      const messages = [{ role: 'user' as const, content: 'Hello?' }]
      const request = { account_id: world.acme.id, user_id: null, purpose: 'draft' as const, messages, max_tokens: 50 }
      for await (const piece of complete(server.context, request)) pieces.push(piece)
    }
    await expect(asked()).rejects.toThrow(/takes too long/)
  }
  await expect.poll(() => model.abandoned).toBe(3)
  model.next(says('Awake.'))
  await model.close()
})
