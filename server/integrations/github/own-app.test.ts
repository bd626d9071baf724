import { afterAll } from 'vitest'
import { userSettings } from '#contract/accounts/user-settings.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { oauth } from '#contract/connections/oauth.ts'
import { github as calls } from '#contract/integrations/github.ts'
import { startGithub, WEBHOOK_SECRET } from '#tests/emulators/github.ts'
import { test as base, expect } from '#tests/support/fixture.ts'

const github = await startGithub()
const { GITHUB_URL = '', GITHUB_API_URL = '' } = github.settings
const test = base.extend('env', { scope: 'file' }, { GITHUB_URL, GITHUB_API_URL, BASE_URL: 'https://chat.acme.com' })
afterAll(() => github.close())

test('the page that leads to GitHub is in the admin’s language, or that of the browser', async ({ as, server }) => {
  const { state } = (await as.ada(oauth.start, { body: { integration: 'github' } })).data
  const read = async (tags: string) => {
    const headers = { 'accept-language': tags }
    const { body } = await server.request('GET', `/api/github/new_app?state=${state}`, { headers })
    return [/<html lang="(\w+)"/, /<h1>(.+)<\/h1>/].map((part) => part.exec(body)?.[1])
  }
  expect(await read('tlh-001,tlh;q=0.9')).toEqual(['en', 'Create the app at GitHub'])
  expect(await read('vi-VN,vi;q=0.9,en;q=0.8')).toEqual(['vi', 'Tạo ứng dụng trên GitHub'])
  await as.ada(userSettings.update, { body: { user_settings: { language: 'vi' } } })
  expect(await read('en-US,en;q=0.9')).toEqual(['vi', 'Tạo ứng dụng trên GitHub'])
  await as.ada(userSettings.update, { body: { user_settings: { language: null } } })
})

test('an admin creates an app with one click, installs it, and its events are signed with its own secret', async ({
  as,
  server,
  world,
}) => {
  const begin = async () => (await as.ada(oauth.start, { body: { integration: 'github' } })).data
  const { url, state } = await begin()
  expect(url).toBe(`https://chat.acme.com/api/github/new_app?state=${state}`)
  const page = await server.request('GET', `/api/github/new_app?state=${state}`)
  expect(page.headers['content-security-policy']).toContain(`form-action ${GITHUB_URL};`)
  expect(page.body).toContain(`action="${GITHUB_URL}/settings/apps/new?state=${state}"`)
  const manifest = JSON.parse(/name="manifest" value="([^"]+)"/.exec(page.body)![1]!.replaceAll('&quot;', '"'))
  expect(manifest).toMatchObject({
    redirect_url: 'https://chat.acme.com/integrations/github',
    public: false,
    default_permissions: { issues: 'write', metadata: 'read' },
    default_events: ['issues'],
    hook_attributes: { url: `https://chat.acme.com/api/github/webhook?account=${world.acme.id}` },
  })
  expect((await server.request('GET', '/api/github/new_app?state=made-up')).status).toBe(303)

  const made = await as.ada(oauth.finish, { body: { state, code: github.manifestCode() } })
  expect(made.data, 'it has to be installed yet').toMatchObject({ ok: true, id: null })
  expect((await as.ben(calls.get)).data).toBeNull()
  const next = await begin()
  expect(next.url).toBe(`${GITHUB_URL}/apps/parley-of-acme/installations/new?state=${next.state}`)
  const { installation_id } = github.install('acme')
  const { data } = await as.ada(oauth.finish, { body: { state: next.state, installation_id } })
  expect((await as.ben(calls.get)).data).toMatchObject({ id: data.id, kind: 'app', label: 'acme' })

  const body = { action: 'deleted', installation: { id: Number(installation_id) } }
  const sendWebhook = (account?: string, secret?: string) =>
    github.deliverWebhook(server.url, {
      type: 'installation',
      body,
      ...(account && { account }),
      ...(secret && { secret }),
    })
  expect(await sendWebhook()).toBe(401)
  expect(await sendWebhook(world.other.id)).toBe(401)
  expect(await sendWebhook(world.acme.id, 'wrong')).toBe(401)
  expect((await as.ada(integrations.list)).data).toHaveLength(1)
  expect(await sendWebhook(world.acme.id, WEBHOOK_SECRET)).toBe(200)
  await expect.poll(async () => (await as.ada(integrations.list)).data, { timeout: 20_000 }).toEqual([])
})
