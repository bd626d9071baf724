import { afterAll } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { oauth } from '#contract/connections/oauth.ts'
import { issues } from '#contract/customers/issues.ts'
import { github as calls } from '#contract/integrations/github.ts'
import { mails } from '#contract/mail/mails.ts'
import { startGithub } from '#tests/emulators/github.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { passTime } from '#tests/support/pass-time.ts'

const github = await startGithub()
const test = base.extend('env', { scope: 'file' }, github.settings)
afterAll(() => github.close())

const ROOM = { timeout: 30_000 }

test.afterEach(async ({ as }) => {
  github.setLifetime(3600)
  for (const { id } of (await as.ada(integrations.list)).data) {
    await as.ada(integrations.remove, { params: { id }, query: { discard: 'true' } })
  }
})

/** Connects through an app installed for this test. */
async function install(as: Callers) {
  const { state } = (await as.ada(oauth.start, { body: { integration: 'github' } })).data
  const installed = github.install('acme')
  const { data } = await as.ada(oauth.finish, { body: { state, setup_action: 'install', ...installed } })
  return { id: data.id!, installation_id: installed.installation_id }
}

const readConnection = async (as: Callers) => (await as.ada(integrations.list)).data[0]!
const create = (as: Callers, title: string) =>
  as.ben(calls.createIssue, { body: { owner: 'acme', repo: 'shop', issue: { title } } })
const titled = async (as: Callers, title: string) =>
  (await as.ben(calls.issues, { query: { owner: 'acme', repo: 'shop' } })).data.filter((issue) => issue.title === title)
const countTokenRequests = (installation_id: string) =>
  github.requestsTo(`POST /app/installations/${installation_id}/access_tokens`).length

const unknownOutcomes = {
  'whose answer is lost': () => github.lose('POST /repos'),
  'that GitHub answers with a fault of its own': () => github.failAfter('POST /repos', { status: 502, body: {} }),
}
test.for(Object.entries(unknownOutcomes))(
  'an issue %s is created once, and the caller is told to check there first',
  async ([title, goesWrong], { as }) => {
    await install(as)
    goesWrong()
    await expect(create(as, title)).rejects.toMatchObject({
      status: 422,
      reason: 'unreachable',
      message:
        'GitHub returned an unexpected response. The issue may have been created anyway: check there before you try again.',
    })
    expect(await titled(as, title)).toHaveLength(1)
  },
)

test('a definite failure is reported as such', async ({ as }) => {
  const { installation_id } = await install(as)
  github.fail(`POST /app/installations/${installation_id}`, { status: 503 })
  await expect(create(as, 'No token')).rejects.toThrow('GitHub returned an error (503).')
  github.fail('POST /repos', { status: 429, headers: { 'retry-after': '60' } })
  await expect(create(as, 'Too many')).rejects.toThrow('GitHub limits the number of requests. Try again later.')
  github.fail('POST /repos', { status: 410, body: { message: 'Issues are disabled for this repo' } })
  await expect(create(as, 'Disabled')).rejects.toThrow('GitHub refused it: Issues are disabled for this repo.')
  for (const title of ['No token', 'Too many', 'Disabled']) expect(await titled(as, title)).toEqual([])
})

test('the token of an installation is cached, refreshed before it expires, and replaced if refused', async ({ as }) => {
  // A token that expires within minutes is not used again.
  github.setLifetime(200)
  const { installation_id } = await install(as)
  await create(as, 'With a first token')
  await create(as, 'With a second')
  expect(countTokenRequests(installation_id)).toBe(2)
  github.setLifetime(3600)
  for (const title of ['With a third', 'With the same']) await create(as, title)
  expect(countTokenRequests(installation_id)).toBe(3)
  // The token is refused early: a new one is fetched, and the call is repeated.
  const used = github.requestsTo('POST /repos').at(-1)!.token!
  github.tokens.delete(used)
  await create(as, 'With a fourth')
  expect(
    github
      .requestsTo('POST /repos')
      .slice(-2)
      .map(({ token }) => token === used),
  ).toEqual([true, false])
  expect(countTokenRequests(installation_id)).toBe(4)
  expect(await titled(as, 'With a fourth')).toHaveLength(1)
  expect(await readConnection(as)).toMatchObject({ state: 'connected', problem: null })
})

test('an app suspended on GitHub is broken, and recovers automatically', async ({ as, server, world }) => {
  const { id, installation_id } = await install(as)
  await as.ada(calls.saveSettings, { params: { id }, body: { settings: { closes_issues: true } } })
  const { number, html_url } = github.addIssue('acme/shop', 'Lamp')
  const issue = { title: 'Lamp', github_issue_url: html_url }
  const { id: issue_id } = (await as.ben(issues.create, { body: { issue } })).data
  const send = async (action: 'suspend' | 'unsuspend') => {
    const body = { action, installation: { id: Number(installation_id) } }
    expect(await github.deliverWebhook(server.url, { type: 'installation', body })).toBe(200)
  }
  // With a token that still seems valid until it is used.
  await create(as, 'Before')
  github.suspend(installation_id, true)
  for (const _ of [1, 2]) await send('suspend')
  await expect
    .poll(() => readConnection(as), ROOM)
    .toMatchObject({
      state: 'broken',
      problem:
        'The app is suspended on GitHub. Unsuspend it there under Settings → Applications → Configure, then test the connection here.',
    })
  const written = (await as.ada(mails.list)).data.filter(({ kind }) => kind === 'integration_broken')
  expect(written.map(({ recipient }) => recipient)).toEqual([world.ada.email])
  await as.ben(issues.update, { params: { id: issue_id }, body: { issue: { state: 'done' } } })
  await expect.poll(async () => (await readConnection(as)).waiting_count, ROOM).toBe(1)
  expect(github.issue('acme/shop', number).state).toBe('open')

  github.suspend(installation_id, false)
  await send('unsuspend')
  await expect.poll(() => readConnection(as), ROOM).toMatchObject({ id, state: 'connected', problem: null })
  await expect.poll(() => github.issue('acme/shop', number).state, ROOM).toBe('closed')
  // A late event changes nothing: GitHub is asked.
  await send('suspend')
  await expect
    .poll(async () => (await as.ada(integrations.inboundEvents, { query: { state: 'ignored' } })).data, ROOM)
    .toMatchObject([{ reason: 'The app works.' }])
  expect(await readConnection(as)).toMatchObject({ state: 'connected' })
})

test('without calls a suspension is noticed when polling, and its end by a test of the connection', async ({
  as,
  server,
}) => {
  const { id, installation_id } = await install(as)
  await create(as, 'Before it')
  github.suspend(installation_id, true)
  await expect(create(as, 'Meanwhile')).rejects.toMatchObject({ reason: 'broken' })
  expect(await readConnection(as)).toMatchObject({
    state: 'broken',
    problem: expect.stringContaining('suspended on GitHub'),
  })
  await expect(as.ada(integrations.test, { params: { id } })).rejects.toThrow('The app is suspended on GitHub.')
  github.suspend(installation_id, false)
  await passTime(server)
  expect(await readConnection(as), 'nobody has looked').toMatchObject({ state: 'broken' })
  expect((await as.ada(integrations.test, { params: { id } })).data).toMatchObject({ state: 'connected' })
  await create(as, 'After it')
})
