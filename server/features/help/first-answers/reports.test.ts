import { languageModel } from '#contract/connections/language-model.ts'
import { messages } from '#contract/conversations/messages.ts'
import { reporting } from '#contract/conversations/reporting.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { firstAnswers } from '#contract/help/first-answers.ts'
import { quotesSources, says, startChatModel } from '#tests/emulators/chat-model.ts'
import { test as base } from '#tests/support/first-answers.ts'
import { expect, statusOf } from '#tests/support/fixture.ts'

const QUESTION = 'How do I send a lamp back?'
const dayFrom = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const TODAY = { from_date: dayFrom(-1), to_date: dayFrom(1) }

const test = base
  .extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
  .extend('model', { scope: 'file' }, async ({ as }, { onCleanup }) => {
    const model = await startChatModel()
    onCleanup(() => model.close())
    await as.ada(languageModel.change, { body: { base_url: model.url, model: 'small', is_enabled: true } })
    return model
  })
  .extend('figures', ({ as }) => async (query: QueryInput<typeof reporting.firstAnswers> = TODAY) => {
    return (await as.ben(reporting.firstAnswers, { query })).data
  })
  .extend('isAnswered', ({ as }) => async (message_id: string) => {
    const find = async () => (await as.ben(firstAnswers.list)).data.some(({ id }) => id === message_id)
    await expect.poll(find, { timeout: 20_000 }).toBe(true)
  })

test('a report counts what became of the conversations that the assistant answered in its days, and why it handed over', async ({
  as,
  ask,
  ended,
  figures,
  isAnswered,
  model,
  server,
  world,
  write,
}) => {
  const before = await figures()
  model.usual = quotesSources
  const noReaction = await ask(QUESTION)
  await isAnswered(noReaction.message_id)
  const helped = await ask(QUESTION)
  await isAnswered(helped.message_id)
  await write(helped.visitor, helped.conversation_id, 'That helped')
  await ended(helped.conversation_id, 'helped')
  const reopened = await ask(QUESTION)
  await isAnswered(reopened.message_id)
  await write(reopened.visitor, reopened.conversation_id, 'That helped')
  await ended(reopened.conversation_id, 'helped')
  await write(reopened.visitor, reopened.conversation_id, 'It does not fit into its box.')
  const taken = await ask(QUESTION)
  await isAnswered(taken.message_id)
  await as.ben(messages.create, { body: { message: { conversation_id: taken.conversation_id, body: 'I am Ben.' } } })
  for (const { conversation_id } of [await ask('I want a person'), await ask('I want a human')])
    await ended(conversation_id, 'handed_over')
  model.usual = says('UNKNOWN')
  const unknown = await ask('Do you sell xylophones?')
  await isAnswered(unknown.message_id)
  await write(unknown.visitor, unknown.conversation_id, 'Xylophones, I mean.')
  await ended(unknown.conversation_id, 'handed_over')

  const { handed_over_by_reason, ...counted } = await figures()
  expect(counted).toEqual({
    object: 'first_answer_figures',
    answered: before.answered + 7,
    helped: before.helped + 1,
    handed_over: before.handed_over + 4,
    reopened: before.reopened + 1,
    no_reaction: before.no_reaction + 1,
  })
  const countOf = (reason: string | null, among = handed_over_by_reason) =>
    among.find((row) => row.reason === reason)?.count ?? 0
  const added = (reason: string | null) => countOf(reason) - countOf(reason, before.handed_over_by_reason)
  expect(added('asked_for_person')).toBe(2)
  expect(added('no_answer')).toBe(1)
  expect(added(null)).toBe(1)
  expect(handed_over_by_reason.reduce((sum, { count }) => sum + count, 0)).toBe(counted.handed_over)

  // Handed over on a later day than it was answered, which is the day that counts.
  const { db } = server.context
  const created_at = '2024-05-06T08:00:00Z'
  await db.updateTable('first_answers').set({ created_at }).where('message_id', '=', unknown.message_id).execute()
  expect(await figures({ from_date: '2024-05-06', to_date: '2024-05-06' })).toMatchObject({
    answered: 1,
    handed_over: 1,
    handed_over_by_reason: [{ reason: 'no_answer', count: 1 }],
  })
  expect(await figures({ from_date: '2024-05-07', to_date: '2024-05-31' })).toMatchObject({
    answered: 0,
    handed_over_by_reason: [],
  })
  expect(await figures({ ...TODAY, inbox_id: world.billing.id })).toMatchObject({ answered: 0 })
  expect(await figures({ ...TODAY, inbox_id: world.website.id })).toMatchObject({ answered: 7 })
  const { data: others } = await as.olga(reporting.firstAnswers, { query: TODAY })
  expect(others.answered).toBe(0)
  expect(await statusOf(as.ben(reporting.firstAnswers, { query: { from_date: TODAY.from_date } }))).toBe(400)
})
