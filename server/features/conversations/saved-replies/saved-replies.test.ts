import { savedReplies } from '#contract/conversations/saved-replies.ts'
import { expect, test } from '#tests/support/fixture.ts'

const draft = (name: string, content: string) => ({ body: { canned_response: { name, content } } })

test('a slash is removed from the name, because it could not be typed', async ({ as }) => {
  const { data } = await as.ben(savedReplies.create, draft('/thanks/a/lot', 'Thank you!'))
  expect(data).toMatchObject({ object: 'canned_response', name: 'thanksalot', content: 'Thank you!' })
})

test('an empty name or content is refused, and so is a duplicate name', async ({ as }) => {
  const refused = (name: string, content: string) => as.ben(savedReplies.create, draft(name, content))
  await expect(refused(' / ', 'x')).rejects.toMatchObject({ errors: { name: ["can't be blank"] } })
  await expect(refused('x', '')).rejects.toMatchObject({ errors: { content: ["can't be blank"] } })
  await as.ben(savedReplies.create, draft('twice', 'x'))
  await expect(refused('twice', 'y')).rejects.toMatchObject({ errors: { name: ['has already been taken'] } })
})

test('saved replies are listed most recently updated first, updated and deleted', async ({ as }) => {
  const { data: first } = await as.ben(savedReplies.create, draft('first', '1'))
  const { data: second } = await as.ben(savedReplies.create, draft('second', '2'))
  const change = { params: { id: first.id }, body: { canned_response: { content: '1, newer' } } }
  expect((await as.ben(savedReplies.update, change)).data).toMatchObject({ name: 'first', content: '1, newer' })
  const ids = async () => (await as.ben(savedReplies.list)).data.map(({ id }) => id)
  expect((await ids()).slice(0, 2)).toEqual([first.id, second.id])
  const params = { id: second.id }
  await as.ben(savedReplies.remove, { params })
  expect(await ids()).not.toContain(second.id)
  await expect(as.ben(savedReplies.remove, { params })).rejects.toMatchObject({ status: 404 })
})

test('another account finds none of them', async ({ as }) => {
  const { data } = await as.ben(savedReplies.create, draft('ours', 'x'))
  expect((await as.olga(savedReplies.list)).data).toEqual([])
  const params = { id: data.id }
  await expect(as.olga(savedReplies.get, { params })).rejects.toMatchObject({ status: 404 })
  await expect(as.olga(savedReplies.remove, { params })).rejects.toMatchObject({ status: 404 })
})
