import { randomUUID } from 'node:crypto'
import { conversations } from '#contract/conversations/conversations.ts'
import { tags } from '#contract/customers/tags.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const test = base
  .extend('changeMany', ({ as }) => (body: BodyInput<typeof conversations.updateMany>, who = as.ada) => {
    return who(conversations.updateMany, { body })
  })
  .extend('read', ({ as }) => async (id: string) => {
    return (await as.ada(conversations.get, { params: { id } })).data
  })
  .extend('startSome', ({ world, server }) => async (count: number): Promise<string[]> => {
    const ids: string[] = []
    for (let i = 0; i < count; i++) {
      const visitor = await startVisitor(server, world.acme.id)
      ids.push((await startConversation(server, visitor)).conversation_id)
    }
    return ids
  })

test('one call closes several, and the response has the new state of each', async ({ startSome, changeMany }) => {
  const ids = await startSome(3)
  const { data } = await changeMany({ ids, changes: { status: 'closed' } })
  expect(data.changed.map((row) => [row.id, row.status])).toEqual(ids.map((id) => [id, 'closed']))
  expect(data.refused).toEqual([])
})

test('refused conversations are returned with the reason and do not affect the others', async ({
  startSome,
  changeMany,
}) => {
  const [closed, first, second] = await startSome(3)
  const stranger = randomUUID()
  await changeMany({ ids: [closed!], changes: { status: 'closed' } })
  const { data } = await changeMany({
    ids: [closed!, first!, stranger, second!, second!],
    changes: { snoozed: { until: null } },
  })
  expect(data.changed.map((row) => row.id)).toEqual([first, second])
  expect(data.refused.map(({ id }) => id)).toEqual([closed, stranger])
})

test('a tag is added to several at once', async ({ as, startSome, changeMany, read }) => {
  const ids = await startSome(2)
  const tag = await as.ada(tags.create, { body: { tag: { name: 'refund' } } })
  const { data } = await changeMany({ ids, tag_id: tag.data.id })
  expect(data.changed).toHaveLength(2)
  for (const id of ids) expect((await read(id)).tags).toMatchObject([{ name: 'refund' }])
})

test('another account’s conversations are not found', async ({ as, startSome, changeMany, read }) => {
  const ids = await startSome(1)
  const { data } = await changeMany({ ids, changes: { status: 'closed' } }, as.olga)
  expect(data).toMatchObject({ changed: [], refused: [{ id: ids[0] }] })
  expect((await read(ids[0]!)).status).toBe('open')
})

test('nobody changes more than 200 at once', async ({ changeMany }) => {
  const ids = Array.from({ length: 201 }, () => randomUUID())
  await expect(changeMany({ ids, changes: { status: 'closed' } })).rejects.toMatchObject({ status: 422 })
})
