import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { connectWebsite } from '#tests/support/connect.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { findMessage, findThread, linkMessage, linkThread } from './external-links.ts'
import { findIdentity, saveIdentity } from './identities.ts'

test('a thread belongs to the conversation it was linked to first', async ({ server, world }) => {
  const { change, db } = server.context
  const { id: authorization_id } = await connectWebsite(server, world)
  const channelKey = { account_id: world.acme.id, authorization_id, place: 'C1' }
  const [first, second] = await Promise.all([1, 2].map(() => startConversation(server, world.carla)))
  const link = (conversation_id: string) =>
    change((tx) => linkThread(tx, { ...channelKey, thread: '1700.1', conversation_id, role: 'mirror' }))
  expect(await link(first!.conversation_id)).toEqual({ conversation_id: first!.conversation_id })
  expect(await link(second!.conversation_id)).toEqual({ conversation_id: first!.conversation_id })
  expect(await findThread(db, channelKey, '1700.1')).toMatchObject({ conversation_id: first!.conversation_id })
  expect(await findThread(db, { ...channelKey, account_id: world.other.id }, '1700.1')).toBeUndefined()
  const message = { ...channelKey, external_id: '1700.2', message_id: first!.message.id, direction: 'in' as const }
  expect(await change((tx) => linkMessage(tx, message))).toBe(true)
  expect(await change((tx) => linkMessage(tx, message))).toBe(false)
  expect(await findMessage(db, channelKey, '1700.2')).toMatchObject({ message_id: first!.message.id })
})

test('external identities of customers move with merges, back when undone, and are erased', async ({
  as,
  server,
  world,
}) => {
  const { db, change } = server.context
  const account_id = world.acme.id
  const [id, other_id] = (await Promise.all([1, 2].map(() => startVisitor(server, account_id)))).map(
    ({ customer_id }) => customer_id,
  )
  const whose = async () => (await findIdentity(db, account_id, 'slack', 'T1/U1'))?.customer_id
  await change((tx) =>
    saveIdentity(tx, account_id, { integration: 'slack', external_id: 'T1/U1', customer_id: other_id!, name: 'Uma' }),
  )
  expect(await whose()).toBe(other_id)
  await as.ada(customerProfiles.merge, { params: { id: id! }, body: { customer_id: other_id! } })
  expect(await whose()).toBe(id)
  await as.ada(customerProfiles.unmerge, { params: { id: id! } })
  expect(await whose()).toBe(other_id)
  await as.ada(erasure.erase, { params: { id: other_id! } })
  expect(await findIdentity(db, account_id, 'slack', 'T1/U1')).toBeUndefined()
})
