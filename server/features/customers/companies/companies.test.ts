import { randomUUID } from 'node:crypto'
import { conversations } from '#contract/conversations/conversations.ts'
import { companies } from '#contract/customers/companies.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { startConversation } from '#tests/support/world.ts'

test('a company is created, updated, listed by name and deleted, and the team is notified', async ({
  as,
  world,
  server,
}) => {
  const socket = new TestSocket(server.url, { token: world.ada.token })
  const received = await socket.join(`notification:${world.acme.id}`)
  await as.ben(companies.create, { body: { company: { name: 'Zest' } } })
  const { data } = await as.ben(companies.create, {
    body: { company: { name: ' Café Ándes ', website_url: 'https://andes.test', metadata: { size: 3 } } },
  })
  expect(data).toMatchObject({
    object: 'company',
    name: 'Café Ándes',
    description: null,
    slack_channel_id: null,
    slack_channel_name: null,
    slack_team_id: null,
    slack_team_name: null,
    metadata: { size: 3 },
  })
  const params = { id: data.id }
  const company = { description: 'Coffee', slack_team_name: 'Andes' }
  const changed = await as.ben(companies.update, { params, body: { company } })
  expect(changed.data).toMatchObject({ name: 'Café Ándes', ...company })
  await received.receive('company:updated', (updated) => updated.description === 'Coffee')

  const list = async (query: object) => (await as.ben(companies.list, { query })).data.map(({ name }) => name)
  expect(withoutBystanders((await as.ben(companies.list)).data).map(({ name }) => name)).toEqual(['Café Ándes', 'Zest'])
  expect(await list({ q: 'andes cafe' })).toHaveLength(1)
  expect(await list({ q: 'andes tea' })).toHaveLength(0)
  expect(await list({ limit: 2 })).toEqual(['Bystander works', 'Café Ándes'])

  await as.ben(companies.remove, { params })
  expect(await received.receive('company:deleted')).toEqual(params)
  await expect(as.ben(companies.get, { params })).rejects.toMatchObject({ status: 404 })
  socket.close()
})

test('a company with customers cannot be deleted', async ({ as, world }) => {
  const { data } = await as.ben(companies.create, { body: { company: { name: 'Kept' } } })
  const params = { id: data.id }
  const move = (company_id: string | null) =>
    as.ben(customerProfiles.update, { params: { id: world.carla.customer_id }, body: { customer: { company_id } } })
  await move(data.id)
  await expect(as.ben(companies.remove, { params })).rejects.toMatchObject({
    status: 422,
    message: 'This company still has customers. Remove them from it first.',
  })
  await move(null)
  await as.ben(companies.remove, { params })
})

test('a company whose only customer was merged can be deleted, and the restored customer has none', async ({ as }) => {
  const company = async (name: string) => (await as.ben(companies.create, { body: { company: { name } } })).data.id
  const customer = async (name: string, company_id: string) =>
    (await as.ben(customers.create, { body: { customer: { name, company_id } } })).data.id
  const [removed, other_company] = [await company('Left behind'), await company('Taken over')]
  const [twin, other] = [await customer('Twin', removed), await customer('Kept', other_company)]
  await as.ben(customerProfiles.merge, { params: { id: other }, body: { customer_id: twin } })
  await as.ben(companies.remove, { params: { id: removed } })
  await as.ben(customerProfiles.unmerge, { params: { id: other } })
  const profileOf = async (id: string) => (await as.ben(customerProfiles.get, { params: { id } })).data
  expect(await profileOf(twin)).toMatchObject({ name: 'Twin', company_id: null })
  expect(await profileOf(other)).toMatchObject({ company_id: other_company })
})

test('a company without a name is refused, one of another account is not found', async ({ as }) => {
  await expect(as.ben(companies.create, { body: { company: { name: ' ' } } })).rejects.toMatchObject({
    status: 422,
    errors: { name: ["can't be blank"] },
  })
  const { data } = await as.ben(companies.create, { body: { company: { name: 'Mine' } } })
  for (const id of [data.id, randomUUID()]) {
    const params = { id }
    await expect(as.olga(companies.get, { params })).rejects.toMatchObject({ status: 404 })
    const hers = { params, body: { company: { name: 'Hers' } } }
    await expect(as.olga(companies.update, hers)).rejects.toMatchObject({ status: 404 })
    await expect(as.olga(companies.remove, { params })).rejects.toMatchObject({ status: 404 })
  }
  const nowhere = { params: { id: randomUUID() } }
  await expect(as.ben(companies.remove, nowhere)).rejects.toMatchObject({ status: 404 })
  await as.ben(companies.remove, { params: { id: data.id } })
})

test('the conversations of a company are those of its customers', async ({ as, world, server }) => {
  const { data } = await as.ben(companies.create, { body: { company: { name: 'Talkative' } } })
  const { conversation_id } = await startConversation(server, world.carla, 'do you have it in oak?')
  const query = { company_id: data.id }
  expect((await as.ben(conversations.list, { query })).data).toEqual([])
  const body = { customer: { company_id: data.id } }
  await as.ben(customerProfiles.update, { params: { id: world.carla.customer_id }, body })
  expect((await as.ben(conversations.list, { query })).data.map(({ id }) => id)).toEqual([conversation_id])
  expect((await as.olga(conversations.list, { query })).data).toEqual([])
})
