import { WebSocket } from 'ws'
import { audit } from '#contract/accounts/audit.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { team } from '#contract/accounts/team.ts'
import { messages } from '#contract/conversations/messages.ts'
import { tags } from '#contract/customers/tags.ts'
import { apiKeys } from '#contract/developers/api-keys.ts'
import { type Caller, expect, Refused, test } from '#tests/support/fixture.ts'
import { PASSWORD, startConversation } from '#tests/support/world.ts'

const LABEL = { label: 'Nightly export' }

test('a key has the rights of its creator, under both prefixes, raw and as Bearer', async ({ as, server, world }) => {
  const { data: key } = await as.ada(apiKeys.create, { body: LABEL })
  expect(key).toMatchObject({
    object: 'personal_api_key',
    label: 'Nightly export',
    scope: 'everything',
    expires_at: null,
  })
  for (const path of ['/api/v1/me', '/api/me', '/api/k/me'])
    for (const token of [key.value, `Bearer ${key.value}`]) {
      expect((await server.request('GET', path, { token })).body.data).toMatchObject({
        id: world.ada.id,
        role: 'admin',
      })
    }
  const { conversation_id } = await startConversation(server, world.carla)
  const posted = await as.holder(key.value)(messages.create, { body: { message: { conversation_id, body: 'Beep.' } } })
  expect(posted.data).toMatchObject({ user_id: world.ada.id, body: 'Beep.' })
})

test('the value is masked in lists, encrypted at rest, and revealed only to its owner', async ({
  as,
  server,
  world,
}) => {
  const { data: key } = await as.ada(apiKeys.create, { body: LABEL })
  expect(key.value).toMatch(/^parley_key_[\w-]{43}$/)
  const masked = `parley_key_…${key.value.slice(-4)}`
  await as.ada(apiKeys.list)
  expect((await as.ada(apiKeys.list)).data.find(({ id }) => id === key.id)?.value).toBe(masked)
  expect((await as.ada(apiKeys.get, { params: key })).data.value).toBe(masked)
  const stored = await server.context.db.selectFrom('personal_api_keys').selectAll().execute()
  expect(JSON.stringify(stored.map((row) => ({ ...row, value: String(row.value) })))).not.toContain(key.value)

  expect((await as.ada(apiKeys.reveal, { params: key })).data.value).toBe(key.value)
  await as.ada(team.setRole, { params: { id: world.ben.id }, body: { role: 'admin' } })
  for (const other of [as.ben, as.olga]) {
    await expect(other(apiKeys.reveal, { params: key })).rejects.toThrow('Not found')
    await expect(other(apiKeys.remove, { params: key })).rejects.toThrow('Not found')
    expect((await other(apiKeys.list)).data.map(({ id }) => id)).not.toContain(key.id)
  }
  await as.ada(team.setRole, { params: { id: world.ben.id }, body: { role: 'user' } })
})

test('a new key is shown once in the list, within a minute and only in the session that made it', async ({
  as,
  server,
  world,
}) => {
  const user = { email: world.ada.email, password: PASSWORD }
  const other = as.holder((await as.anybody(authSessions.signIn, { body: { user } })).data.token)
  const valueIn = async (caller: Caller, id: string) =>
    (await caller(apiKeys.list)).data.find((key) => key.id === id)?.value
  const { data: key } = await as.ada(apiKeys.create, { body: LABEL })
  const masked = `parley_key_…${key.value.slice(-4)}`
  expect(await valueIn(other, key.id)).toBe(masked)
  const { data: listed } = await as.ada(apiKeys.list, { query: { masked: true } })
  expect(listed.find(({ id }) => id === key.id)?.value).toBe(masked)
  expect(await valueIn(as.ada, key.id)).toBe(key.value)
  expect(await valueIn(as.ada, key.id)).toBe(masked)
  const { data: late } = await as.ada(apiKeys.create, { body: LABEL })
  const created_at = new Date(Date.now() - 61_000).toISOString()
  await server.context.db.updateTable('personal_api_keys').set({ created_at }).where('id', '=', late.id).execute()
  expect(await valueIn(as.ada, late.id)).toBe(`parley_key_…${late.value.slice(-4)}`)
})

test('creating, revealing and deleting a key, and its use by programs, is in the audit trail', async ({ as }) => {
  const { data: key } = await as.ada(apiKeys.create, { body: { label: 'Audited' } })
  await as.ada(apiKeys.reveal, { params: key })
  await as.holder(key.value)(team.list)
  await as.ada(apiKeys.remove, { params: key })
  const { data } = await as.ada(audit.list, { query: { action: 'api_key' } })
  const own = data.filter(({ subject_id }) => subject_id === key.id)
  expect(own.map(({ action, subject_name }) => [action, subject_name])).toEqual([
    ['api_key.deleted', 'Audited'],
    ['api_key.revealed', 'Audited'],
    ['api_key.created', 'Audited'],
  ])
  expect(JSON.stringify(own)).not.toContain(key.value)
})

test('the audit trail distinguishes actions of a program from those of its owner', async ({ as, world }) => {
  const { data: key } = await as.ada(apiKeys.create, { body: LABEL })
  for (const role of ['admin', 'user'])
    await as.holder(key.value)(team.setRole, { params: { id: world.ben.id }, body: { role } })
  const { data } = await as.ada(audit.list, { query: { action: 'user.role_changed', limit: 2 } as never })
  expect(data[0]).toMatchObject({ user_id: world.ada.id, details: { api_key_id: key.id } })
})

test('a key has the current role of its owner, and is invalid while they are disabled', async ({ as, world }) => {
  const setRole = (role: string) => as.ada(team.setRole, { params: { id: world.ben.id }, body: { role } })
  await setRole('admin')
  const { data: key } = await as.ben(apiKeys.create, { body: LABEL })
  const program = as.holder(key.value)
  expect((await program(authSessions.me)).data.role).toBe('admin')
  await setRole('user')
  expect((await program(authSessions.me)).data.role).toBe('user')
  await expect(program(audit.list)).rejects.toThrow('Unauthorized access')
  await expect(as.ben(apiKeys.list)).rejects.toThrow('Unauthorized access')
  await as.ada(team.disable, { params: { id: world.ben.id } })
  await expect(program(authSessions.me)).rejects.toThrow('Your account is disabled')
  await as.ada(team.enable, { params: { id: world.ben.id } })
  expect((await program(authSessions.me)).data.id).toBe(world.ben.id)
})

test('a read-only key changes nothing, and an expired or deleted one is invalid', async ({ as, server }) => {
  const { data: reader } = await as.ada(apiKeys.create, { body: { ...LABEL, scope: 'read' } })
  await as.holder(reader.value)(tags.list)
  await expect(as.holder(reader.value)(tags.create, { body: { tag: { name: 'x' } } })).rejects.toThrow(
    'This API key is read-only. Use one with full access.',
  )
  const soon = new Date(Date.now() + 60_000).toISOString()
  const { data: brief } = await as.ada(apiKeys.create, { body: { ...LABEL, expires_at: soon } })
  await as.holder(brief.value)(tags.list)
  await server.context.db
    .updateTable('personal_api_keys')
    .set({ expires_at: new Date(Date.now() - 1).toISOString() })
    .where('id', '=', brief.id)
    .execute()
  await expect(as.holder(brief.value)(tags.list)).rejects.toThrow('Not authenticated')
  await as.ada(apiKeys.remove, { params: reader })
  await expect(as.holder(reader.value)(tags.list)).rejects.toThrow('Not authenticated')
})

test('the last use of a key is recorded, without a write for each call', async ({ as, server }) => {
  const { data: key } = await as.ada(apiKeys.create, { body: LABEL })
  expect(key.last_used_at).toBeNull()
  await as.holder(key.value)(tags.list)
  const used = (await as.ada(apiKeys.get, { params: key })).data.last_used_at
  expect(Date.now() - Date.parse(used ?? '')).toBeLessThan(60_000)
  await as.holder(key.value)(tags.list)
  expect((await as.ada(apiKeys.get, { params: key })).data.last_used_at).toBe(used)
  const old = new Date(Date.now() - 700_000).toISOString()
  await server.context.db.updateTable('personal_api_keys').set({ last_used_at: old }).where('id', '=', key.id).execute()
  await as.holder(key.value)(tags.list)
  expect((await as.ada(apiKeys.get, { params: key })).data.last_used_at).not.toBe(old)
})

test('a label is required, and the expiry must be in the future', async ({ as }) => {
  const refused = as.ada(apiKeys.create, { body: { label: ' ', expires_at: '2020-01-01T00:00:00Z' } })
  await expect(refused).rejects.toThrow(Refused)
  await expect(refused).rejects.toMatchObject({
    errors: { label: ["can't be blank"], expires_at: ['must be in the future'] },
  })
})

test('a key of Papercups is refused with the advice to create a new one', async ({ as }) => {
  const refused = as.holder('SFMyNTY.g2gDYQFuBgDk.abc')(authSessions.me)
  await expect(refused).rejects.toThrow('generate a new API key under Developers, API keys')
  await expect(refused).rejects.toMatchObject({ status: 401 })
})

test('keys cannot open sockets: programs follow the event log', async ({ as, server, world }) => {
  const { data: key } = await as.ada(apiKeys.create, { body: LABEL })
  const open = (token: string) => {
    const protocols = ['phoenix', `base64url.bearer.phx.${Buffer.from(token).toString('base64url')}`]
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/socket/websocket?vsn=2.0.0`, protocols)
    return new Promise((resolve) => {
      socket.once('open', () => resolve('open')).once('error', ({ message }) => resolve(message))
      socket.once('open', () => socket.close())
    })
  }
  expect(await open(world.ada.token)).toBe('open')
  expect(await open(key.value)).toContain('403')
})
