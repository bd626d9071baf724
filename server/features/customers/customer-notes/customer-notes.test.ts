import { randomUUID } from 'node:crypto'
import { customerNotes } from '#contract/customers/customer-notes.ts'
import type { Answer } from '#contract/endpoint.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startVisitor } from '#tests/support/world.ts'

const test = base.extend(
  'write',
  ({ as, world }) =>
    (body: string, customer_id = world.carla.customer_id, who = as.ben) => {
      return who(customerNotes.create, { body: { note: { body, customer_id } } })
    },
)

test('notes are listed newest first with author and customer, page by page, of one customer or of all', async ({
  as,
  world,
  server,
  write,
}) => {
  const other = await startVisitor(server, world.acme.id, { name: 'Other' })
  for (const body of ['One', 'Two', 'Three']) await write(body)
  await write('Elsewhere', other.customer_id, as.ada)
  const bodies = (page: Answer<typeof customerNotes.list>) => withoutBystanders(page.data).map((note) => note.body)
  const all = await as.ben(customerNotes.list)
  expect(bodies(all).toSorted()).toEqual(['Elsewhere', 'One', 'Three', 'Two'])
  expect(all.data[0]).toMatchObject({ object: 'note', content_type: 'text', customer: { id: expect.any(String) } })
  const first = await as.ben(customerNotes.list, { query: { customer_id: world.carla.customer_id, limit: 2 } })
  expect(first.data[0]).toMatchObject({ author: { id: world.ben.id }, customer: { name: 'Carla' } })
  const second = await as.ben(customerNotes.list, {
    query: { customer_id: world.carla.customer_id, limit: 2, after: first.next! },
  })
  expect([...bodies(first), ...bodies(second)].toSorted()).toEqual(['One', 'Three', 'Two'])
  expect(second.next).toBe(null)
  const mine = await as.ben(customerNotes.list, { query: { author_id: world.ada.id } })
  expect(bodies(mine)).toEqual(['Elsewhere'])
  await expect(as.ben(customerNotes.list, { query: { after: 'nonsense' } })).rejects.toMatchObject({ status: 400 })
})

test('only its author or an admin updates or deletes a note, and the team is notified', async ({
  as,
  world,
  openSocket,
  write,
}) => {
  const socket = openSocket({ token: world.ada.token })
  const received = await socket.join(`notification:${world.acme.id}`)
  const adas = (await write('By Ada', undefined, as.ada)).data
  expect(await received.receive('note:created')).toMatchObject({ id: adas.id, author: { id: world.ada.id } })
  await expect(as.ben(customerNotes.remove, { params: { id: adas.id } })).rejects.toMatchObject({
    status: 403,
    message: 'Only the author or an admin may change this note.',
  })
  await expect(
    as.ben(customerNotes.update, { params: { id: adas.id }, body: { note: { body: 'By Ben' } } }),
  ).rejects.toMatchObject({ status: 403 })
  const changed = await as.ada(customerNotes.update, { params: { id: adas.id }, body: { note: { body: 'Better' } } })
  expect(changed.data.body).toBe('Better')
  expect(await received.receive('note:updated')).toMatchObject({ id: adas.id, body: 'Better' })

  const bens = (await write('By Ben')).data
  await as.ada(customerNotes.remove, { params: { id: bens.id } })
  expect(await received.receive('note:deleted')).toEqual({ id: bens.id, customer_id: world.carla.customer_id })
  await expect(as.ben(customerNotes.get, { params: { id: bens.id } })).rejects.toMatchObject({ status: 404 })
})

test('an empty note, or one on a customer of another account, is refused', async ({ as, world, write }) => {
  await expect(write('  ')).rejects.toHaveProperty('errors', { body: ["can't be blank"] })
  await expect(write('x', randomUUID())).rejects.toHaveProperty('errors', { customer_id: ['does not exist'] })
  await expect(write('x', world.carla.customer_id, as.olga)).rejects.toHaveProperty('errors', {
    customer_id: ['does not exist'],
  })
  const id = (await write('Ours')).data.id
  await expect(as.olga(customerNotes.get, { params: { id } })).rejects.toMatchObject({ status: 404 })
  await expect(as.olga(customerNotes.remove, { params: { id } })).rejects.toMatchObject({ status: 404 })
})
