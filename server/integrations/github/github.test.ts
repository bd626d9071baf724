import { afterAll } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { oauth } from '#contract/connections/oauth.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { issues } from '#contract/customers/issues.ts'
import { github as calls } from '#contract/integrations/github.ts'
import { pollAll } from '#server/features/connections/authorizations/polling.ts'
import { PERSONAL_TOKEN, startGithub } from '#tests/emulators/github.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { toJson } from '../../platform/db/to-json.ts'

const github = await startGithub()
const test = base.extend('env', { scope: 'file' }, github.settings)
afterAll(() => github.close())

const ROOM = { timeout: 20_000 }

test.afterEach(async ({ as }) => {
  for (const { id } of (await as.ada(integrations.list)).data) await as.ada(integrations.remove, { params: { id } })
})

const connectToken = async (as: Callers) =>
  (await as.ada(calls.connect, { body: { authorization: { access_token: PERSONAL_TOKEN } } })).data.id!
const begin = async (as: Callers) => (await as.ada(oauth.start, { body: { integration: 'github' } })).data

async function connectApp(as: Callers) {
  const { state } = await begin(as)
  const installed = github.install('acme')
  const { data } = await as.ada(oauth.finish, { body: { state, setup_action: 'install', ...installed } })
  return { id: data.id!, ...installed }
}

/** A customer linked to an issue, with a conversation. */
async function waiting(as: Callers, server: TestServer, account_id: string, url: string) {
  const visitor = await startVisitor(server, account_id, { name: 'Nora', email: 'nora@shop.test' })
  const { conversation_id } = await startConversation(server, visitor, 'It is broken')
  const issue = { title: 'Lamp', github_issue_url: url, customer_id: visitor.customer_id }
  const { data } = await as.ben(issues.create, { body: { issue } })
  return { conversation_id, issue_id: data.id, customer_id: visitor.customer_id }
}

const stateOf = async (as: Callers, id: string) => (await as.ben(issues.get, { params: { id } })).data.state
const notesIn = async (as: Callers, conversation_id: string) =>
  (await as.ben(messages.list, { query: { conversation_id } })).data
    .filter(({ type }) => type === 'bot')
    .map(({ body }) => body)

test('a token connects without an app; its repositories and issues are listed, read and written', async ({ as }) => {
  expect((await as.ben(calls.get)).data).toBeNull()
  expect((await as.ben(calls.repositories)).data).toEqual([])
  await expect(as.ada(calls.connect, { body: { authorization: { access_token: 'wrong' } } })).rejects.toThrow(
    'GitHub refused the token: Bad credentials.',
  )
  const id = await connectToken(as)
  expect((await as.ben(calls.get)).data).toMatchObject({ id, kind: 'token', label: 'ada' })
  expect((await as.ben(calls.repositories)).data.map(({ full_name }) => full_name)).toEqual(['acme/shop', 'acme/desk'])
  const { data } = await as.ben(calls.createIssue, { body: { owner: 'acme', repo: 'shop', issue: { title: 'New' } } })
  const response = await as.ben(calls.issues, { query: { url: data.html_url } })
  expect(response.data).toMatchObject([{ title: 'New', state: 'open' }])
  expect((await as.ben(calls.issues, { query: { owner: 'acme', repo: 'shop' } })).data.length).toBeGreaterThan(0)
  await expect(as.ben(calls.issues, { query: { url: 'https://github.com/acme/shop' } })).rejects.toMatchObject({
    status: 422,
    message: 'Invalid GitHub issue URL',
  })
  const missing = { url: 'https://github.com/acme/shop/issues/999' }
  expect((await as.ben(calls.issues, { query: missing })).data).toEqual([])
})

test('without a connection only public issues are shown', async ({ as }) => {
  const open = github.addIssue('acme/desk', 'Public')
  const hidden = github.addIssue('acme/shop', 'Private')
  expect((await as.ben(calls.issues, { query: { url: open.html_url } })).data).toMatchObject([{ title: 'Public' }])
  expect((await as.ben(calls.issues, { query: { url: hidden.html_url } })).data).toEqual([])
})

test('only an own installation of the app can be connected', async ({ as }) => {
  const { url, state } = await begin(as)
  expect(url).toBe(`${github.url}/apps/parley-for-all/installations/new?state=${state}`)
  const theirs = github.install('somebody-else')
  const mine = github.install('acme')
  const body = { state, installation_id: theirs.installation_id, code: mine.code }
  await expect(as.ada(oauth.finish, { body })).rejects.toThrow('This installation belongs to another GitHub user.')
  const again = { installation_id: theirs.installation_id, setup_action: 'install' }
  await expect(as.ada(calls.oauth, { query: again })).rejects.toMatchObject({ status: 422 })
  const { id, installation_id } = await connectApp(as)
  expect((await as.ben(calls.get)).data).toMatchObject({ id, kind: 'app', label: 'acme' })
  expect((await as.ben(calls.repositories)).data).toHaveLength(2)
  await as.ada(calls.remove, { params: { id } })
  await expect.poll(() => github.installations.has(Number(installation_id)), ROOM).toBe(false)
})

test('with only the code of the redirect, as the old dashboard sends it, the one installation of its user is connected', async ({
  as,
}) => {
  const first = github.install('acme')
  const { data } = await as.ada(calls.oauth, { query: { code: first.code, setup_action: 'install' } })
  expect(data.ok).toBe(true)
  expect((await as.ben(calls.get)).data).toMatchObject({ id: data.id, kind: 'app', label: 'acme' })
  await expect(as.ada(calls.oauth, { query: { installation_id: first.installation_id } })).rejects.toThrow(
    'GitHub did not say who installed the app',
  )
})

test('an uninstalled app is broken at the next request, and disconnected by GitHub’s event', async ({ as, server }) => {
  const first = await connectApp(as)
  github.uninstall(first.installation_id)
  await expect(as.ada(integrations.test, { params: { id: first.id } })).rejects.toThrow(
    'The app is no longer installed',
  )
  expect((await as.ada(integrations.list)).data).toMatchObject([{ state: 'broken' }])
  const second = await connectApp(as)
  const body = { action: 'deleted', installation: { id: Number(second.installation_id) } }
  expect(await github.deliverWebhook(server.url, { type: 'installation', body })).toBe(200)
  await expect.poll(async () => (await as.ben(calls.get)).data, ROOM).toBeNull()
})

const closing = (installation_id: string, number: number, updated_at: string, state = 'closed') => ({
  action: state === 'closed' ? 'closed' : 'reopened',
  installation: { id: Number(installation_id) },
  issue: { number, state, updated_at, title: 'Lamp' },
  repository: { name: 'shop', owner: { login: 'acme' } },
})

test('an issue closed or reopened on GitHub is done or unstarted in Parley, and each linked conversation gets one note', async ({
  as,
  server,
  world,
}) => {
  const { installation_id } = await connectApp(as)
  const githubIssue = github.addIssue('acme/shop', 'Lamp')
  const url = githubIssue.html_url.replace('https://github.com/acme', 'www.GitHub.com/Acme')
  const { conversation_id, issue_id } = await waiting(as, server, world.acme.id, url)
  await as.ben(conversations.update, {
    params: { id: conversation_id },
    body: { conversation: { status: 'closed', read: true } },
  })
  const closed = closing(
    installation_id,
    githubIssue.number,
    github.setState('acme/shop', githubIssue.number, 'closed').updated_at,
  )
  for (const event of [{}, {}, { id: 'another delivery of the same' }]) {
    expect(await github.deliverWebhook(server.url, { type: 'issues', body: closed, ...event })).toBe(200)
  }
  await expect.poll(() => stateOf(as, issue_id), ROOM).toBe('done')
  const note = (what: string) => expect.stringContaining(`has been ${what}: https://github.com/acme/shop/issues/`)
  await expect.poll(() => notesIn(as, conversation_id), ROOM).toEqual([note('closed')])
  const { data: conversation } = await as.ben(conversations.get, { params: { id: conversation_id } })
  expect(conversation).toMatchObject({ status: 'open', read: false, first_replied_at: null })

  const reopened = github.setState('acme/shop', githubIssue.number, 'open')
  const body = closing(installation_id, githubIssue.number, reopened.updated_at, 'open')
  await github.deliverWebhook(server.url, { type: 'issues', body })
  await expect.poll(() => stateOf(as, issue_id), ROOM).toBe('unstarted')
  // A late event changes nothing any more.
  const late = { ...closed, issue: { ...closed.issue, title: 'Told late' } }
  await github.deliverWebhook(server.url, { type: 'issues', body: late, id: 'late' })
  await expect.poll(() => notesIn(as, conversation_id), ROOM).toEqual([note('reopened'), note('closed')])
  expect(await stateOf(as, issue_id)).toBe('unstarted')
})

test('a call with a wrong signature or an unknown installation changes nothing', async ({ as, server, world }) => {
  const { installation_id } = await connectApp(as)
  const githubIssue = github.addIssue('acme/shop', 'Lamp')
  const { issue_id } = await waiting(as, server, world.acme.id, githubIssue.html_url)
  const body = closing(installation_id, githubIssue.number, new Date().toISOString())
  const send = (event: object, more: object = {}) =>
    github.deliverWebhook(server.url, { type: 'issues', body: { ...body, ...event }, ...more })
  expect(await send({}, { secret: 'another' })).toBe(401)
  expect(await send({}, { signature: '' })).toBe(401)
  // An account without its own app cannot use the server's secret.
  expect(await send({}, { account: world.other.id })).toBe(401)
  expect(await send({}, { account: 'nonsense' })).toBe(401)
  expect(await send({ installation: { id: 1 } })).toBe(200)
  expect(await send({ installation: undefined })).toBe(200)
  expect(await send({ issue: { number: 'x' } })).toBe(200)
  expect(await stateOf(as, issue_id)).toBe('unstarted')
})

test('without calls GitHub is polled, and issues closed meanwhile are done', async ({ as, server, world }) => {
  await connectToken(as)
  const githubIssue = github.addIssue('acme/shop', 'Desk')
  const { issue_id, conversation_id } = await waiting(as, server, world.acme.id, githubIssue.html_url)
  await pollNow(server, world.acme.id)
  github.setState('acme/shop', githubIssue.number, 'closed')
  // GitHub's clock is behind: changes are listed since the last look.
  await pollNow(server, world.acme.id, '2020-01-01T00:00:00Z')
  await expect.poll(() => stateOf(as, issue_id), ROOM).toBe('done')
  expect(await notesIn(as, conversation_id)).toHaveLength(1)
  // While nothing changes, GitHub answers with an empty response.
  await pollNow(server, world.acme.id, '2040-01-01T00:00:00Z')
  await pollNow(server, world.acme.id)
  expect(github.requestsTo('GET /repos/acme/shop/issues').at(-1)!.headers['if-none-match']).toMatch(/^W\//)
  github.fail('GET /repos/acme/shop/issues', { status: 403, headers: { 'retry-after': '120' } })
  await pollNow(server, world.acme.id, '2020-01-01T00:00:00Z')
  await expect
    .poll(async () => (await as.ada(integrations.list)).data, ROOM)
    .toMatchObject([{ state: 'resting', problem: 'GitHub limits the number of requests. It will be retried later.' }])
})

/** Runs the next poll, as if minutes had passed. */
async function pollNow({ context }: TestServer, account_id: string, since?: string) {
  const { cursor } = await context.db
    .selectFrom('authorizations')
    .select('cursor')
    .where('account_id', '=', account_id)
    .where('integration', '=', 'github')
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  const { repositories = {} } = (cursor ?? {}) as { repositories?: Record<string, object> }
  const earlier = Object.entries(repositories).map(([name, repositoryCursor]) => [
    name,
    since ? { since } : repositoryCursor,
  ])
  const requestsBefore = github.requestsTo('GET /').length
  await context.db
    .updateTable('authorizations')
    .set({ cursor: toJson({ repositories: Object.fromEntries(earlier) }) })
    .where('account_id', '=', account_id)
    .where('integration', '=', 'github')
    .where('removed_at', 'is', null)
    .execute()
  await pollAll(context)
  await expect
    .poll(async () => {
      const { cursor: next, receiving_problem } = await context.db
        .selectFrom('authorizations')
        .select(['cursor', 'receiving_problem'])
        .where('account_id', '=', account_id)
        .where('integration', '=', 'github')
        .where('removed_at', 'is', null)
        .executeTakeFirstOrThrow()
      return receiving_problem !== null || (next as { polled_at?: string } | null)?.polled_at !== undefined
    }, ROOM)
    .toBe(true)
  expect(github.requestsTo('GET /').length).toBeGreaterThan(requestsBefore)
}

test('an issue URL in a message links the issue to the customer, and adds a note', async ({ as, server, world }) => {
  await connectToken(as)
  const githubIssue = github.addIssue('acme/shop', 'Lamp [flickers]')
  const visitor = await startVisitor(server, world.acme.id, { name: 'Nora' })
  const { conversation_id } = await startConversation(
    server,
    visitor,
    `See ${githubIssue.html_url}, https://github.com/strange/place/issues/1 and ${githubIssue.html_url}#comment.`,
  )
  const mine = async () => (await as.ben(issues.list, { query: { customer_id: visitor.customer_id } })).data
  await expect
    .poll(mine, ROOM)
    .toMatchObject([{ title: 'Lamp [flickers]', state: 'unstarted', github_issue_url: githubIssue.html_url }])
  await expect
    .poll(() => notesIn(as, conversation_id), ROOM)
    .toEqual([`:link: This person is now subscribed to the GitHub issue [Lamp flickers](${githubIssue.html_url})`])
  const again = { conversation_id, body: `Still ${githubIssue.html_url}` }
  await as.ben(messages.create, { body: { message: again } })
  const other = await startVisitor(server, world.acme.id, { name: 'Omar' })
  await startConversation(server, other, githubIssue.html_url.replace('https://', ''))
  const theirs = async () => (await as.ben(issues.list, { query: { customer_id: other.customer_id } })).data
  await expect.poll(theirs, ROOM).toMatchObject([{ id: (await mine())[0]!.id }])
  expect(await notesIn(as, conversation_id)).toHaveLength(1)
})

test('an issue done in Parley is closed on GitHub if enabled, and the resulting event adds no note', async ({
  as,
  server,
  world,
}) => {
  const { id, installation_id } = await connectApp(as)
  const githubIssue = github.addIssue('acme/shop', 'Chair')
  const { issue_id, conversation_id } = await waiting(as, server, world.acme.id, githubIssue.html_url)
  const move = (state: 'done' | 'in_progress') =>
    as.ben(issues.update, { params: { id: issue_id }, body: { issue: { state } } })
  await move('done')
  await move('in_progress')
  const settings = { closes_issues: true }
  await expect(as.ben(calls.saveSettings, { params: { id }, body: { settings } })).rejects.toThrow(
    'Unauthorized access',
  )
  expect((await as.ada(calls.saveSettings, { params: { id }, body: { settings } })).data.settings).toEqual(settings)
  github.fail('PATCH', { status: 502 })
  await move('done')
  await expect.poll(() => github.issue('acme/shop', githubIssue.number).state, { timeout: 30_000 }).toBe('closed')
  const { updated_at } = github.issue('acme/shop', githubIssue.number)
  await github.deliverWebhook(server.url, {
    type: 'issues',
    body: closing(installation_id, githubIssue.number, updated_at),
  })
  await move('in_progress')
  await expect.poll(() => github.issue('acme/shop', githubIssue.number).state, ROOM).toBe('open')
  expect(await notesIn(as, conversation_id)).toEqual([])
  expect(github.requestsTo('PATCH').map(({ body }) => body.state)).toEqual(['closed', 'closed', 'open'])
})
