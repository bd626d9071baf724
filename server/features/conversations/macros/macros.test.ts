import { randomUUID } from 'node:crypto'
import { audit } from '#contract/accounts/audit.ts'
import type { ConversationAction } from '#contract/conversations/conversation-actions.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { macros } from '#contract/conversations/macros.ts'
import { tags } from '#contract/customers/tags.ts'
import { expect, refusalOf, test } from '#tests/support/fixture.ts'
import { startConversation } from '#tests/support/world.ts'

const urgent: ConversationAction = { action: 'set_priority', priority: 'priority' }

test('a macro does its actions as the person who runs it, and says what was before', async ({ as, server, world }) => {
  const { data: tag } = await as.ben(tags.create, { body: { tag: { name: randomUUID() } } })
  const actions: ConversationAction[] = [
    { action: 'add_tag', tag_id: tag.id },
    { action: 'assign', user_id: world.ben.id },
    { action: 'add_note', body: 'Called back' },
    { action: 'answer', body: 'We have called you.' },
    { action: 'set_status', status: 'closed' },
  ]
  const { data: macro } = await as.ada(macros.create, { body: { macro: { name: 'Called', actions } } })
  const { conversation_id } = await startConversation(server, world.carla)
  const { data } = await as.ben(macros.run, { params: { id: macro.id }, body: { conversation_id } })
  expect(data.before).toMatchObject({ status: 'open', assignee_id: null, tag_ids: [] })
  expect(data.conversation).toMatchObject({ status: 'closed', assignee_id: world.ben.id, closed_by_id: world.ben.id })
  const { data: after } = await as.ben(conversations.get, { params: { id: conversation_id } })
  expect(after.tags.map(({ id }) => id)).toEqual([tag.id])
  expect(after.messages.slice(-2)).toMatchObject([
    { body: 'Called back', private: true, user_id: world.ben.id },
    { body: 'We have called you.', private: false, type: 'reply', user_id: world.ben.id },
  ])
})

test('a macro does all of its actions or none', async ({ as, server, world }) => {
  const actions: ConversationAction[] = [
    urgent,
    { action: 'set_status', status: 'closed' },
    { action: 'snooze', minutes: 60 },
  ]
  const { data: macro } = await as.ada(macros.create, { body: { macro: { name: 'Impossible', actions } } })
  const { conversation_id: id } = await startConversation(server, world.carla)
  const run = as.ben(macros.run, { params: { id: macro.id }, body: { conversation_id: id } })
  expect(await refusalOf(run)).toMatchObject({ status: 422 })
  expect((await as.ben(conversations.get, { params: { id } })).data).toMatchObject({
    status: 'open',
    priority: 'not_priority',
  })
})

test('personal macros are seen by their creator only, and shared ones are changed by admins only', async ({
  as,
  world,
  server,
}) => {
  const draft = (name: string, is_personal: boolean) => ({ body: { macro: { name, is_personal, actions: [urgent] } } })
  const { data: own } = await as.ben(macros.create, draft('Mine', true))
  const { data: shared } = await as.ada(macros.create, draft('Ours', false))
  await expect(as.ben(macros.create, draft('Not mine', false))).rejects.toMatchObject({ status: 403 })
  const names = async (who: typeof as.ada) => (await who(macros.list)).data.map(({ name }) => name)
  expect(await names(as.ben)).toEqual(expect.arrayContaining(['Mine', 'Ours']))
  expect(await names(as.ada)).not.toContain('Mine')
  expect(await names(as.olga)).toEqual([])
  const { conversation_id } = await startConversation(server, world.carla)
  const run = { params: { id: own.id }, body: { conversation_id } }
  await expect(as.ada(macros.run, run)).rejects.toMatchObject({ status: 404 })
  const change = { params: { id: shared.id }, body: { macro: { name: 'Yours' } } }
  await expect(as.ben(macros.update, change)).rejects.toMatchObject({ status: 403 })
  await expect(as.ben(macros.remove, { params: { id: shared.id } })).rejects.toMatchObject({ status: 403 })
  expect((await as.ada(macros.update, change)).data).toMatchObject({ name: 'Yours', actions: [urgent] })
  await as.ben(macros.remove, { params: { id: own.id } })
  expect(await names(as.ben)).not.toContain('Mine')
  const { data: entries } = await as.ada(audit.list, { query: { action: 'macro' } })
  const audited = entries.filter(({ subject_id }) => subject_id === shared.id)
  expect(audited.map(({ action }) => action)).toEqual(['macro.updated', 'macro.created'])
})

test('a macro does something, has a name of its own, and names what exists', async ({ as, world }) => {
  const refused = (macro: object) => as.ada(macros.create, { body: { macro } } as never)
  await expect(refused({ name: 'Nothing' })).rejects.toMatchObject({ status: 422 })
  await expect(refused({ name: 'x', actions: [{ action: 'assign', user_id: world.olga.id }] })).rejects.toMatchObject({
    status: 422,
  })
  await as.ada(macros.create, { body: { macro: { name: 'Once', content: 'Hi' } } })
  await expect(refused({ name: 'once', content: 'Hello' })).rejects.toMatchObject({
    errors: { name: ['has already been taken'] },
  })
})
