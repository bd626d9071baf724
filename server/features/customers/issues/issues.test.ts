import { randomUUID } from 'node:crypto'
import { issues } from '#contract/customers/issues.ts'
import type { BodyInput, QueryInput } from '#contract/endpoint.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startVisitor } from '#tests/support/world.ts'

const test = base
  .extend('create', ({ as }) => async (issue: BodyInput<typeof issues.create>['issue']) => {
    return (await as.ben(issues.create, { body: { issue } })).data
  })
  .extend('titles', ({ as }) => async (query: QueryInput<typeof issues.list>) => {
    return (await as.ben(issues.list, { query })).data.map((issue) => issue.title)
  })

test('an issue starts unstarted and may get any state; the time it was done or closed is recorded', async ({
  as,
  world,
  create,
}) => {
  const issue = await create({ title: 'Lamp flickers' })
  expect(issue).toMatchObject({ object: 'issue', state: 'unstarted', body: null, creator_id: world.ben.id })
  for (const state of ['in_review', 'done', 'in_progress', 'closed', 'unstarted'] as const) {
    const { data } = await as.ben(issues.update, { params: { id: issue.id }, body: { issue: { state } } })
    expect(data.state).toBe(state)
    expect([!!data.finished_at, !!data.closed_at]).toEqual([state === 'done', state === 'closed'])
  }
  await expect(
    as.ben(issues.update, { params: { id: issue.id }, body: { issue: { state: 'forgotten' as never, title: '' } } }),
  ).rejects.toMatchObject({ status: 422, errors: { state: ['is invalid'], title: ["can't be blank"] } })
  await as.ben(issues.remove, { params: { id: issue.id } })
  await expect(as.ben(issues.get, { params: { id: issue.id } })).rejects.toMatchObject({ status: 404 })
})

test('a GitHub URL is stored as entered', async ({ create }) => {
  const ok = await create({ title: 'Synced', github_issue_url: 'https://github.com/my/repo/issues/123' })
  expect(ok.github_issue_url).toBe('https://github.com/my/repo/issues/123')
  expect((await create({ title: 'Blank', github_issue_url: ' ' })).github_issue_url).toBe(null)
  for (const github_issue_url of ['https://github.com/my/repo', 'internal tracker, no. 12']) {
    expect((await create({ title: 'Odd', github_issue_url })).github_issue_url).toBe(github_issue_url)
  }
})

test('every word of a search must be in the issue', async ({ create, titles }) => {
  await create({ title: 'Söfa squeaks', body: 'since the delivery' })
  expect(await titles({ q: 'SOFA' })).toEqual(['Söfa squeaks'])
  expect(await titles({ q: 'queak deliv' })).toEqual(['Söfa squeaks'])
  expect(await titles({ q: 'sofa lamp' })).toEqual([])
  expect(await titles({ state: 'done' })).toEqual([])
})

test('linked, changed and unlinked issues are sent to those who watch the customer', async ({
  as,
  world,
  openSocket,
  create,
  titles,
}) => {
  const { customer_id } = world.carla
  const socket = openSocket({ token: world.ada.token })
  const lobby = await socket.join(`issue:lobby:${customer_id}`)
  const team = await socket.join(`notification:${world.acme.id}`)
  const issue = await create({ title: 'Watched', customer_id })
  expect(await lobby.receive('issue:created')).toMatchObject({ id: issue.id, title: 'Watched' })
  expect(await team.receive('issue:linked')).toMatchObject({ customer_id, issue: { id: issue.id } })
  expect(await titles({ customer_id })).toEqual(['Watched'])

  await as.ben(issues.update, { params: { id: issue.id }, body: { issue: { state: 'done' } } })
  expect(await lobby.receive('issue:updated')).toMatchObject({ id: issue.id, state: 'done' })
  await team.receive('issue:updated', (updated) => updated.state === 'done')

  expect((await as.ben(issues.link, { params: { id: customer_id }, body: { issue_id: issue.id } })).data).toEqual({
    ok: true,
  })
  await as.ben(issues.unlink, { params: { id: customer_id, issue_id: issue.id } })
  await team.receive('issue:unlinked')
  await expect(as.ben(issues.unlink, { params: { id: customer_id, issue_id: issue.id } })).rejects.toMatchObject({
    status: 404,
  })
  expect(await titles({ customer_id })).toEqual([])
  await as.ben(issues.remove, { params: { id: issue.id } })
  expect(await team.receive('issue:deleted')).toEqual({ id: issue.id })
})

test('an existing issue is linked to a customer, and to no other', async ({ as, world, server, create, titles }) => {
  const [issue] = await Promise.all([create({ title: 'Put on one' }), create({ title: 'On nobody' })])
  const { customer_id } = await startVisitor(server, world.acme.id)
  await as.ben(issues.link, { params: { id: customer_id }, body: { issue_id: issue.id } })
  expect(await titles({ customer_id })).toEqual(['Put on one'])
  expect(await titles({ customer_id: world.carla.customer_id })).toEqual([])
})

test('another account neither receives nor finds issues', async ({ as, world, openSocket, create }) => {
  const issue = await create({ title: 'Ours' })
  await expect(as.olga(issues.get, { params: { id: issue.id } })).rejects.toMatchObject({ status: 404 })
  await expect(
    as.olga(issues.update, { params: { id: issue.id }, body: { issue: { title: 'Hers' } } }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(
    as.olga(issues.link, { params: { id: world.carla.customer_id }, body: { issue_id: issue.id } }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(
    as.olga(issues.create, { body: { issue: { title: 'x', customer_id: world.carla.customer_id } } }),
  ).rejects.toHaveProperty('errors', { customer_id: ['does not exist'] })
  await expect(
    as.olga(issues.create, { body: { issue: { title: 'x', assignee_id: world.ada.id } } }),
  ).rejects.toHaveProperty('errors', { assignee_id: ['does not exist'] })
  const socket = openSocket({ token: world.olga.token })
  await expect(socket.join(`issue:lobby:${world.carla.customer_id}`)).rejects.toThrow('Unauthorized')
  await expect(socket.join(`issue:lobby:${randomUUID()}`)).rejects.toThrow('Unauthorized')
  await expect(socket.join('issue:lobby:nonsense')).rejects.toThrow('Unauthorized')
})
