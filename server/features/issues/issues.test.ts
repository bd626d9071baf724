import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Json, startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startVisitor, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (method: string, path: string, body?: object, token = world.ben.token) =>
  server.request(method, path, { token, body })
const create = async (issue: object): Promise<Json> => (await ask('POST', '/api/issues', { issue })).body.data
const titles = async (query: string) =>
  (await ask('GET', `/api/issues?${query}`)).body.data.map((issue: Json) => issue.title)

test('an issue begins unstarted and may go to any state; when it was done or closed is kept', async () => {
  const issue = await create({ title: 'Lamp flickers' })
  expect(issue).toMatchObject({ object: 'issue', state: 'unstarted', body: null, creator_id: world.ben.id })
  const path = `/api/issues/${issue.id}`
  for (const state of ['in_review', 'done', 'in_progress', 'closed', 'unstarted']) {
    const { data } = (await ask('PUT', path, { issue: { state } })).body
    expect(data.state).toBe(state)
    expect([!!data.finished_at, !!data.closed_at]).toEqual([state === 'done', state === 'closed'])
  }
  const refused = await ask('PUT', path, { issue: { state: 'forgotten', title: '' } })
  expect(refused.body.error).toMatchObject({
    status: 422,
    errors: { state: ['is invalid'], title: ["can't be blank"] },
  })
  expect((await ask('DELETE', path)).status).toBe(204)
  expect((await ask('GET', path)).status).toBe(404)
})

test('an address of GitHub is kept as it was typed', async () => {
  const ok = await create({ title: 'Synced', github_issue_url: 'https://github.com/my/repo/issues/123' })
  expect(ok.github_issue_url).toBe('https://github.com/my/repo/issues/123')
  expect((await create({ title: 'Blank', github_issue_url: ' ' })).github_issue_url).toBe(null)
  for (const github_issue_url of ['https://github.com/my/repo', 'internal tracker, no. 12']) {
    expect((await create({ title: 'Odd', github_issue_url })).github_issue_url).toBe(github_issue_url)
  }
})

test('every word of a search stands somewhere in the issue', async () => {
  await create({ title: 'Söfa squeaks', body: 'since the delivery' })
  expect(await titles('q=SOFA')).toEqual(['Söfa squeaks'])
  expect(await titles('q=queak+deliv')).toEqual(['Söfa squeaks'])
  expect(await titles('q=sofa+lamp')).toEqual([])
  expect(await titles('state=done')).toEqual([])
})

test('whoever watches a customer is told of issues linked to it, changed and taken away', async () => {
  const { customer_id } = world.carla
  const socket = new TestSocket(server.url, { token: world.ada.token })
  const lobby = await socket.join(`issue:lobby:${customer_id}`)
  const team = await socket.join(`notification:${world.acme.id}`)
  const issue = await create({ title: 'Watched', customer_id })
  expect(await lobby.receive('issue:created')).toMatchObject({ id: issue.id, title: 'Watched' })
  expect(await team.receive('issue:linked')).toMatchObject({ customer_id, issue: { id: issue.id } })
  expect(await titles(`customer_id=${customer_id}`)).toEqual(['Watched'])

  await ask('PUT', `/api/issues/${issue.id}`, { issue: { state: 'done' } })
  expect(await lobby.receive('issue:updated')).toMatchObject({ id: issue.id, state: 'done' })
  await team.receive('issue:updated', (one) => one.state === 'done')

  const link = `/api/customers/${customer_id}/issues`
  expect((await ask('POST', link, { issue_id: issue.id })).body.data).toEqual({ ok: true })
  expect((await ask('DELETE', `${link}/${issue.id}`)).status).toBe(200)
  await team.receive('issue:unlinked')
  expect((await ask('DELETE', `${link}/${issue.id}`)).status).toBe(404)
  expect(await titles(`customer_id=${customer_id}`)).toEqual([])
  await ask('DELETE', `/api/issues/${issue.id}`)
  expect(await team.receive('issue:deleted')).toEqual({ id: issue.id })
  socket.close()
})

test('an issue that is there already is put on a customer, and on no other', async () => {
  const [issue] = await Promise.all([create({ title: 'Put on one' }), create({ title: 'On nobody' })])
  const { customer_id } = await startVisitor(server, world.acme.id)
  const { status } = await ask('POST', `/api/customers/${customer_id}/issues`, { issue_id: issue.id })
  expect(status).toBeLessThan(300)
  expect(await titles(`customer_id=${customer_id}`)).toEqual(['Put on one'])
  expect(await titles(`customer_id=${world.carla.customer_id}`)).toEqual([])
})

test('another account is neither told of issues nor finds them', async () => {
  const issue = await create({ title: 'Ours' })
  const olga = world.olga.token
  expect((await ask('GET', `/api/issues/${issue.id}`, undefined, olga)).status).toBe(404)
  expect((await ask('PUT', `/api/issues/${issue.id}`, { issue: { title: 'Hers' } }, olga)).status).toBe(404)
  const link = await ask('POST', `/api/customers/${world.carla.customer_id}/issues`, { issue_id: issue.id }, olga)
  expect(link.status).toBe(404)
  const foreign = await ask(
    'POST',
    '/api/issues',
    { issue: { title: 'x', customer_id: world.carla.customer_id } },
    olga,
  )
  expect(foreign.body.error.errors).toEqual({ customer_id: ['does not exist'] })
  const assigned = await ask('POST', '/api/issues', { issue: { title: 'x', assignee_id: world.ada.id } }, olga)
  expect(assigned.body.error.errors).toEqual({ assignee_id: ['does not exist'] })
  const socket = new TestSocket(server.url, { token: olga })
  await expect(socket.join(`issue:lobby:${world.carla.customer_id}`)).rejects.toThrow('Unauthorized')
  await expect(socket.join(`issue:lobby:${randomUUID()}`)).rejects.toThrow('Unauthorized')
  await expect(socket.join('issue:lobby:nonsense')).rejects.toThrow('Unauthorized')
  socket.close()
})
