import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, PASSWORD, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer({ USER_INVITATION_EMAIL: 'on' })
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (method: string, path: string, body?: object, token = world.ada.token) =>
  server.request(method, path, { token, body })
const ben = () => `/api/users/${world.ben.id}`
const ada = () => `/api/users/${world.ada.id}`

/** Somebody new, of a new account or of the one that invited. */
async function enter(way: { company_name: string } | { invite_token: string }) {
  const user = { email: `${randomUUID()}@new.test`, password: PASSWORD, password_confirmation: PASSWORD, ...way }
  const { body } = await server.request('POST', '/api/registration', { body: { user } })
  return body.data as { account_id: string; user_id: number; token: string }
}

test('nobody disables, enables, archives or deletes the wrong person', async () => {
  const refused = async (method: string, path: string) => {
    const { status, body } = await ask(method, path)
    return [status, body.error.message]
  }
  expect(await refused('POST', `${ada()}/disable`)).toEqual([400, 'You cannot disable yourself.'])
  expect(await refused('POST', `${ada()}/enable`)).toEqual([400, 'You cannot enable yourself.'])
  expect(await refused('POST', `${ada()}/archive`)).toEqual([403, 'You cannot archive yourself.'])
  expect(await refused('DELETE', ben())).toEqual([403, 'You cannot delete another user.'])
})

test('a role is user or admin, and the account keeps an admin', async () => {
  const odd = await ask('PUT', `${ben()}/role`, { role: 'owner' })
  expect([odd.status, odd.body.error.message]).toEqual([400, "Role must be either 'user' or 'admin'"])
  const last = await ask('PUT', `${ada()}/role`, { role: 'user' })
  expect([last.status, last.body.error.message]).toEqual([
    400,
    'This is the only admin of the account. Make somebody else an admin first.',
  ])
  const left = await ask('DELETE', ada())
  expect(left.status).toBe(400)
})

test('the team is found by address, role, and whether an address was confirmed', async () => {
  const find = async (query: string) =>
    withoutBystanders<{ id: number }>((await ask('GET', `/api/users?${query}`)).body.data).map(({ id }) => id)
  const { db } = server.context
  const email_verified_at = new Date().toISOString()
  await db.updateTable('users').set({ email_verified_at }).where('id', '=', world.ben.id).execute()
  expect(await find('email=ADA@acme.test')).toEqual([world.ada.id])
  expect(await find('role=user&active=true')).toEqual([world.ben.id])
  expect(await find('has_valid_email=true')).toEqual([world.ben.id])
  expect(await find('has_valid_email=false')).toEqual([world.ada.id])
  expect(await find('has_valid_email=')).toEqual([world.ada.id, world.ben.id])
})

test('two admins who take each other’s role at once leave one', async () => {
  await ask('PUT', `${ben()}/role`, { role: 'admin' })
  const answers = await Promise.all([
    ask('PUT', `${ben()}/role`, { role: 'user' }, world.ada.token),
    ask('PUT', `${ada()}/role`, { role: 'user' }, world.ben.token),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const { body } = await ask('GET', '/api/users')
  expect(body.data.filter(({ role }: { role: string }) => role === 'admin')).toHaveLength(1)
  await server.context.db.updateTable('users').set({ role: 'admin' }).where('id', '=', world.ada.id).execute()
  await ask('PUT', `${ben()}/role`, { role: 'user' })
})

test.each(['disable', 'archive'])('two admins who %s each other at once leave one', async (deal) => {
  const first = await enter({ company_name: 'Two of us' })
  const invitation = await ask('POST', '/api/user_invitations', undefined, first.token)
  const other = await enter({ invite_token: invitation.body.data.id })
  await ask('PUT', `/api/users/${other.user_id}/role`, { role: 'admin' }, first.token)
  const answers = await Promise.all([
    ask('POST', `/api/users/${other.user_id}/${deal}`, undefined, first.token),
    ask('POST', `/api/users/${first.user_id}/${deal}`, undefined, other.token),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const trails = await Promise.all(
    [first, other].map(({ token }) => ask('GET', '/api/audit_entries', undefined, token)),
  )
  expect(trails.map(({ status }) => status).sort()).toEqual([200, 401])
})

test('an invitation ends with its maker’s right to invite, and is known to nobody by its id', async () => {
  const boss = await enter({ company_name: 'Fleeting' })
  const first = await ask('POST', '/api/user_invitations', undefined, boss.token)
  const deputy = await enter({ invite_token: first.body.data.token })
  await ask('PUT', `/api/users/${deputy.user_id}/role`, { role: 'admin' }, boss.token)
  const made = await ask('POST', '/api/user_invitations', undefined, deputy.token)
  expect(made.headers).not.toHaveProperty('location')
  const list = await ask('GET', '/api/user_invitations', undefined, boss.token)
  expect(JSON.stringify(list.body)).not.toContain(made.body.data.token)
  const join = (invite_token: string) => {
    const user = { email: 'late@fleeting.test', password: PASSWORD, password_confirmation: PASSWORD, invite_token }
    return ask('POST', '/api/registration', { user })
  }
  expect((await join(list.body.data[0].id)).body.error.message).toBe('Invalid invitation token')
  await ask('PUT', `/api/users/${deputy.user_id}/role`, { role: 'user' }, boss.token)
  expect((await join(made.body.data.token)).body.error).toMatchObject({ status: 403, reason: 'invalid_invitation' })
  expect((await ask('GET', '/api/user_invitations', undefined, boss.token)).body.data).toEqual([])
  await ask('PUT', `/api/users/${deputy.user_id}/role`, { role: 'admin' }, boss.token)
  await ask('POST', `/api/users/${deputy.user_id}/disable`, undefined, boss.token)
  expect((await join(made.body.data.token)).status).toBe(403)
})

test('a disabled user is out at once, on requests and sockets, until enabled', async () => {
  const socket = new TestSocket(server.url, { token: world.ben.token })
  await socket.join(`notification:${world.acme.id}`)
  const closed = new Promise((resolve) => socket.socket.onClose(resolve))
  const watching = new TestSocket(server.url, { token: world.ada.token })
  const team = await watching.join(`notification:${world.acme.id}`)

  const { body } = await ask('POST', `${ben()}/disable`)
  expect(body.data.disabled_at).not.toBeNull()
  await closed
  socket.close()
  await team.receive('user:updated', ({ id, disabled_at }) => id === world.ben.id && disabled_at)
  watching.close()
  expect((await ask('GET', '/api/me', undefined, world.ben.token)).status).toBe(401)
  const signIn = () =>
    server.request('POST', '/api/session', { body: { user: { email: world.ben.email, password: PASSWORD } } })
  expect((await signIn()).body.error.message).toBe(
    'Your account is disabled. Please contact your team admin to enable your account.',
  )
  const listed = withoutBystanders<{ id: number }>((await ask('GET', '/api/users')).body.data)
  expect(listed.map(({ id }) => id)).toEqual([world.ada.id])

  await ask('POST', `${ben()}/enable`)
  const back = await signIn()
  expect(back.status).toBe(200)
  world.ben.token = back.body.data.token
})

test('a member may do none of this', async () => {
  for (const [method, path] of [
    ['POST', `${ada()}/disable`],
    ['PUT', `${ada()}/role`],
    ['POST', '/api/user_invitations'],
    ['GET', '/api/audit_entries'],
    ['GET', '/api/mails'],
  ] as const) {
    const { status, body } = await ask(method, path, { role: 'user' }, world.ben.token)
    expect([path, status, body.error.message]).toEqual([path, 401, 'Unauthorized access'])
  }
})

test('one’s profile is one’s own, and everybody is told of it', async () => {
  const { body } = await ask(
    'PUT',
    '/api/profile',
    { user_profile: { display_name: ' Benny ', full_name: '' } },
    world.ben.token,
  )
  expect(body.data).toMatchObject({
    id: world.ben.id,
    display_name: 'Benny',
    full_name: null,
    account_id: world.acme.id,
  })
  const bad = await ask('PUT', '/api/profile', { user_profile: { profile_photo_url: 'javascript:alert(1)' } })
  expect(bad.body.error.errors).toEqual({ profile_photo_url: ['is invalid'] })
})

test('without billing no plan limits anybody and none is named, whatever is stored of one', async () => {
  const boss = await enter({ company_name: 'Own server' })
  const invite = () => ask('POST', '/api/user_invitations', { user_invitation: {} }, boss.token)
  const { db } = server.context
  await db.updateTable('accounts').set({ subscription_plan: 'starter' }).where('id', '=', boss.account_id).execute()
  const joined = []
  for (let seat = 2; seat <= 5; seat++) joined.push(await enter({ invite_token: (await invite()).body.data.token }))
  const last = `/api/users/${joined.at(-1)!.user_id}`
  await ask('POST', `${last}/disable`, undefined, boss.token)
  expect((await ask('POST', `${last}/enable`, undefined, boss.token)).body.data.disabled_at).toBeNull()
  const { body } = await ask('GET', '/api/accounts/me', undefined, boss.token)
  expect([body.data.users.length, body.data.subscription_plan]).toEqual([5, 'team'])
  const shown = await server.request('GET', `/api/widget_settings?account_id=${boss.account_id}`)
  expect(shown.body.data.account.subscription_plan).toBe('team')
})

test('an invitation by mail carries the link and the address; without a mail server an admin reads it', async () => {
  const nobody = await ask('POST', '/api/user_invitation_emails', {})
  expect([nobody.status, nobody.body.error.message]).toEqual([400, 'The following parameters are required: to_address'])
  expect((await ask('POST', '/api/user_invitation_emails', { to_address: 'Elsa@New.test' })).status).toBe(201)
  expect((await ask('POST', '/api/user_invitation_emails', { email: 'Dana@New.test' })).status).toBe(201)
  const { body } = await ask('GET', '/api/mails')
  expect(body.is_mail_server_set).toBe(false)
  const [newest] = body.data
  expect(newest).toMatchObject({ kind: 'invitation', recipient: 'dana@new.test', sent_at: null })
  const letter = await ask('GET', `/api/mails/${newest.id}`)
  expect(letter.body.data.text).toMatch(/\/register\/[-\w]{36}\?email=dana%40new\.test/)
  const list = await ask('GET', '/api/user_invitations')
  await ask('PUT', `/api/user_invitations/${list.body.data[0].id}`, { user_invitation: {} })
  await ask('DELETE', `/api/user_invitations/${list.body.data[0].id}`)
  const token = /register\/([-\w]{36})/.exec(letter.body.data.text)![1]
  const user = { invite_token: token, email: 'dana@new.test', password: PASSWORD, password_confirmation: PASSWORD }
  const refused = await server.request('POST', '/api/registration', { body: { user } })
  expect([refused.status, refused.body.error.message]).toEqual([403, 'Invalid invitation token'])
})

test('nobody is invited who has an account; a mailed invitation is listed, mailed again with a new link, and revoked', async () => {
  const invite = (to_address: string) => ask('POST', '/api/user_invitation_emails', { to_address })
  const refused = async (to_address: string) => (await invite(to_address)).body.error.reason
  expect(await refused(world.ben.email)).toBe('already_member')
  expect(await refused(world.olga.email)).toBe('email_taken')
  expect((await invite('a@b')).body.error.errors).toEqual({ to_address: ['has invalid format'] })

  // Invited twice, they have one link.
  await invite('finn@new.test')
  await invite('finn@new.test')
  const pending = async () =>
    (await ask('GET', '/api/user_invitations')).body.data.filter(
      (one: { email: string }) => one.email === 'finn@new.test',
    )
  const [{ id }, ...more] = await pending()
  expect(more).toEqual([])
  const linkOf = async () => {
    const { body } = await ask('GET', '/api/mails')
    const { id: mail } = body.data.find((one: { recipient: string }) => one.recipient === 'finn@new.test')
    return /register\/([-\w]{36})/.exec((await ask('GET', `/api/mails/${mail}`)).body.data.text)![1]
  }
  const check = async (invite_token: string | undefined) => {
    const { status, body } = await server.request('POST', '/api/user_invitation_checks', { body: { invite_token } })
    return status === 200 ? body.data : body.error.reason
  }
  const first = await linkOf()
  // Asking uses nothing up.
  for (const _ of [1, 2]) expect(await check(first)).toEqual({ company_name: 'Acme' })
  expect((await ask('POST', `/api/user_invitations/${id}/resend`)).status).toBe(200)
  const second = await linkOf()
  expect(await check(first)).toBe('invalid_invitation')
  expect(await check(second)).toEqual({ company_name: 'Acme' })
  await server.context.db
    .updateTable('user_invitations')
    .set({ expires_at: new Date(Date.now() - 60_000).toISOString() })
    .where('account_id', '=', world.acme.id)
    .where('id', '=', id)
    .execute()
  expect(await check(second)).toBe('expired_invitation')
  await ask('DELETE', `/api/user_invitations/${id}`)
  expect(await pending()).toEqual([])
  expect((await ask('POST', `/api/user_invitations/${id}/resend`)).status).toBe(404)
  const link = (await ask('POST', '/api/user_invitations')).body.data
  expect((await ask('POST', `/api/user_invitations/${link.token}/resend`)).body.error.reason).toBe('no_address')
})

test('who did what is kept, filtered and exported, and names the doer', async () => {
  const all = (await ask('GET', '/api/audit_entries')).body
  const actions = all.data.map(({ action }: { action: string }) => action)
  expect(actions).toEqual(
    expect.arrayContaining([
      'user.disabled',
      'user.enabled',
      'user.role_changed',
      'invitation.mailed',
      'invitation.updated',
      'invitation.deleted',
    ]),
  )
  expect(all.data.find(({ action }: { action: string }) => action === 'user.disabled')).toMatchObject({
    user_id: world.ada.id,
    user: { email: world.ada.email },
    subject_id: String(world.ben.id),
  })
  const roles = all.data.filter(({ action }: { action: string }) => action === 'user.role_changed')
  expect(roles.map(({ details }: { details: object }) => details)).toContainEqual({
    fields: ['role'],
    changes: { role: { from: 'user', to: 'admin' } },
  })
  const some = (await ask('GET', '/api/audit_entries?action=invitation')).body.data
  expect(some.length).toBeGreaterThan(0)
  expect(some.every(({ action }: { action: string }) => action.startsWith('invitation.'))).toBe(true)
  const hers = (await ask('GET', `/api/audit_entries?user_id=${world.ada.id}`)).body.data
  expect(hers.length).toBeGreaterThan(0)
  expect(hers.every(({ user_id }: { user_id: number }) => user_id === world.ada.id)).toBe(true)
  const csv = await ask('GET', '/api/audit_entries/export.csv')
  expect(csv.body.split('\r\n')[0]).toBe('\ufefftime,user,action,subject,subject_id,details,address')
  expect(csv.body).toContain('user.disabled')
  expect(csv.body).toContain('role: user → admin')
})
