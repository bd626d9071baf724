import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startConversation, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (method: string, path: string, body?: object, token = world.ben.token) =>
  server.request(method, path, { token, body })

test('a company is added, changed, listed by name and removed, and the team hears of it', async () => {
  const socket = new TestSocket(server.url, { token: world.ada.token })
  const heard = await socket.join(`notification:${world.acme.id}`)
  await ask('POST', '/api/companies', { company: { name: 'Zest' } })
  const { status, body } = await ask('POST', '/api/companies', {
    company: { name: ' Café Ándes ', website_url: 'https://andes.test', metadata: { size: 3 } },
  })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({
    object: 'company',
    name: 'Café Ándes',
    description: null,
    slack_channel_id: null,
    slack_channel_name: null,
    slack_team_id: null,
    slack_team_name: null,
    metadata: { size: 3 },
  })
  const path = `/api/companies/${body.data.id}`
  const changed = await ask('PUT', path, { company: { description: 'Coffee', slack_team_name: 'Andes' } })
  expect(changed.body.data).toMatchObject({ name: 'Café Ándes', description: 'Coffee', slack_team_name: 'Andes' })
  await heard.hear('company:updated', (one) => one.description === 'Coffee')
  const listed = withoutBystanders<{ name: string }>((await ask('GET', '/api/companies')).body.data)
  expect(listed.map((one) => one.name)).toEqual(['Café Ándes', 'Zest'])
  expect((await ask('GET', '/api/companies?q=andes+cafe')).body.data).toHaveLength(1)
  expect((await ask('GET', '/api/companies?q=andes+tea')).body.data).toHaveLength(0)
  const first = (await ask('GET', '/api/companies?limit=2')).body.data
  expect(first.map((one: { name: string }) => one.name)).toEqual(['Bystander works', 'Café Ándes'])
  expect((await ask('DELETE', path)).status).toBe(204)
  expect(await heard.hear('company:deleted')).toEqual({ id: body.data.id })
  expect((await ask('GET', path)).status).toBe(404)
  socket.close()
})

test('a company that has customers is not removed', async () => {
  const company = (await ask('POST', '/api/companies', { company: { name: 'Kept' } })).body.data
  const customer = `/api/customers/${world.carla.customer_id}`
  await ask('PUT', customer, { customer: { company_id: company.id } })
  const refused = await ask('DELETE', `/api/companies/${company.id}`)
  expect(refused.body.error).toMatchObject({
    status: 422,
    message: 'This company still has customers. Take them out of it first.',
  })
  await ask('PUT', customer, { customer: { company_id: null } })
  expect((await ask('DELETE', `/api/companies/${company.id}`)).status).toBe(204)
})

test('a company goes whose only customer has become part of another, who comes back without it', async () => {
  const company = (await ask('POST', '/api/companies', { company: { name: 'Left behind' } })).body.data
  const other = (await ask('POST', '/api/companies', { company: { name: 'Taken over' } })).body.data
  const twin = { name: 'Twin', company_id: company.id }
  const { id: customer_id } = (await ask('POST', '/api/customers', { customer: twin })).body.data
  const { id } = (await ask('POST', '/api/customers', { customer: { name: 'Kept', company_id: other.id } })).body.data
  await ask('POST', `/api/customers/${id}/merge`, { customer_id })
  expect((await ask('DELETE', `/api/companies/${company.id}`)).status).toBe(204)
  await ask('POST', `/api/customers/${id}/unmerge`)
  expect((await ask('GET', `/api/customers/${customer_id}`)).body.data).toMatchObject({
    name: 'Twin',
    company_id: null,
  })
  expect((await ask('GET', `/api/customers/${id}`)).body.data.company_id).toBe(other.id)
})

test('a company without a name is refused, one of another account is not found', async () => {
  const refused = await ask('POST', '/api/companies', { company: { name: ' ' } })
  expect(refused.body.error).toMatchObject({ status: 422, errors: { name: ["can't be blank"] } })
  const mine = (await ask('POST', '/api/companies', { company: { name: 'Mine' } })).body.data
  const olga = world.olga.token
  for (const id of [mine.id, randomUUID()]) {
    expect((await ask('GET', `/api/companies/${id}`, undefined, olga)).status).toBe(404)
    expect((await ask('PUT', `/api/companies/${id}`, { company: { name: 'Hers' } }, olga)).status).toBe(404)
    expect((await ask('DELETE', `/api/companies/${id}`, undefined, olga)).status).toBe(404)
  }
})

test('the conversations of a company are those of its customers', async () => {
  const company = (await ask('POST', '/api/companies', { company: { name: 'Talkative' } })).body.data
  const { conversation_id } = await startConversation(server, world.carla, 'do you have it in oak?')
  const path = `/api/conversations?company_id=${company.id}`
  expect((await ask('GET', path)).body.data).toEqual([])
  await ask('PUT', `/api/customers/${world.carla.customer_id}`, { customer: { company_id: company.id } })
  const found = (await ask('GET', path)).body.data
  expect(found.map(({ id }: { id: string }) => id)).toEqual([conversation_id])
  expect((await ask('GET', path, undefined, world.olga.token)).body.data).toEqual([])
})
