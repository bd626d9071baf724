import { afterAll } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { oauth } from '#contract/connections/oauth.ts'
import { issues } from '#contract/customers/issues.ts'
import { github as calls } from '#contract/integrations/github.ts'
import { startGithub } from '#tests/emulators/github.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { readPayload } from '#tests/support/payload.ts'
import { startVisitor } from '#tests/support/world.ts'

// GitHub's payloads in their complete documented shapes: most fields are ignored.
const github = await startGithub()
const test = base.extend('env', { scope: 'file' }, github.settings)
afterAll(() => github.close())

const ROOM = { timeout: 20_000 }

async function install(as: Callers): Promise<number> {
  const { state } = (await as.ada(oauth.start, { body: { integration: 'github' } })).data
  const installed = github.install('acme')
  await as.ada(oauth.finish, { body: { state, setup_action: 'install', ...installed } })
  return Number(installed.installation_id)
}

test('GitHub’s events update known issues, a suspension breaks the connection while it lasts, and removing the app disconnects it', async ({
  as,
  server,
  world,
}) => {
  const installation = await install(as)
  const { number, html_url } = github.addIssue('acme/shop', 'Lamp flickers')
  const { customer_id } = await startVisitor(server, world.acme.id, { name: 'Nora' })
  const issue = { title: 'Lamp', github_issue_url: html_url, customer_id }
  const { id } = (await as.ben(issues.create, { body: { issue } })).data
  const stateIs = (state: string) =>
    expect.poll(async () => (await as.ben(issues.get, { params: { id } })).data.state, ROOM).toBe(state)
  let clock = Date.now()
  const send = async (fixture: string, more: { installation?: number } = {}) => {
    clock += 1000
    const updated_at = new Date(clock).toISOString().replace(/\.\d+/, '')
    const values = { number, installation, updated_at, ...more }
    const body = JSON.parse(readPayload(`github/fixtures/${fixture}.json`, values)) as object
    const type = fixture.startsWith('issue-comment') ? 'issue_comment' : fixture.split('-')[0]!
    expect(await github.deliverWebhook(server.url, { type, body }), fixture).toBe(200)
  }
  const countEvents = async () => (await as.ada(integrations.inboundEvents, {})).data.length

  // None of these reports a closing, though the issue is closed in two of them.
  for (const other of ['ping', 'issues-labeled', 'issue-comment-created']) await send(other)
  await send('issues-closed', { installation: 1 })
  expect(await countEvents()).toBe(0)
  await send('issues-closed')
  await stateIs('done')
  await send('issues-reopened')
  await stateIs('unstarted')
  const isNow = (state: string, problem: unknown) =>
    expect
      .poll(async () => (await as.ada(integrations.list)).data, ROOM)
      .toMatchObject([{ integration: 'github', state, problem }])
  github.suspend(String(installation), true)
  await send('installation-suspend')
  await isNow('broken', expect.stringContaining('suspended on GitHub'))
  github.suspend(String(installation), false)
  await send('installation-unsuspend')
  await isNow('connected', null)
  for (const other of ['suspend', 'unsuspend', 'deleted']) await send(`installation-${other}`, { installation: 1 })
  expect(await countEvents()).toBe(4)
  await send('installation-deleted')
  await expect.poll(async () => (await as.ben(calls.get)).data, ROOM).toBeNull()
})
