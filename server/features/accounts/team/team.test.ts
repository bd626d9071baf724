import { randomUUID } from 'node:crypto'
import { accounts } from '#contract/accounts/accounts.ts'
import { audit } from '#contract/accounts/audit.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { invitations } from '#contract/accounts/invitations.ts'
import { team } from '#contract/accounts/team.ts'
import { users } from '#contract/accounts/users.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { mails } from '#contract/mail/mails.ts'
import { widgets } from '#contract/widget/widgets.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, expect, type Refused, refusalOf, statusOf } from '#tests/support/fixture.ts'
import { PASSWORD } from '#tests/support/world.ts'

const test = base
  .extend('env', { scope: 'file' }, { USER_INVITATION_EMAIL: 'on' })
  .extend('setRole', ({ as }) => (id: number, role: string, who = as.ada) => {
    return who(team.setRole, { params: { id }, body: { role } })
  })
  /** A new person, in a new account or in the one that invited them. */
  .extend('enter', ({ as }) => async (fields: { company_name: string } | { invite_token: string }) => {
    const user = { email: `${randomUUID()}@new.test`, password: PASSWORD, password_confirmation: PASSWORD, ...fields }
    const { data } = await as.anybody(authSessions.register, { body: { user } })
    return data
  })

test('users can only disable, enable, archive or delete whom they may', async ({ as, world }) => {
  const herself = { params: { id: world.ada.id } }
  const refused = async (call: Promise<unknown>) => {
    const { status, message } = await refusalOf(call)
    return [status, message]
  }
  expect(await refused(as.ada(team.disable, herself))).toEqual([400, 'You cannot disable yourself.'])
  expect(await refused(as.ada(team.enable, herself))).toEqual([400, 'You cannot enable yourself.'])
  expect(await refused(as.ada(team.archive, herself))).toEqual([403, 'You cannot archive yourself.'])
  expect(await refused(as.ada(team.remove, { params: { id: world.ben.id } }))).toEqual([
    403,
    'You cannot delete another user.',
  ])
})

test('a role is user or admin, and the account keeps an admin', async ({ as, world, setRole }) => {
  await expect(setRole(world.ben.id, 'owner')).rejects.toMatchObject({
    status: 400,
    message: "Role must be either 'user' or 'admin'",
  })
  await expect(setRole(world.ada.id, 'user')).rejects.toMatchObject({
    status: 400,
    message: 'This is the only admin of the account. Make another user an admin first.',
  })
  await expect(as.ada(team.remove, { params: { id: world.ada.id } })).rejects.toMatchObject({ status: 400 })
})

test('users are filtered by address, role and confirmation', async ({ as, world, server }) => {
  const find = async (query: QueryInput<typeof team.list>) =>
    withoutBystanders((await as.ada(team.list, { query })).data).map(({ id }) => id)
  const { db } = server.context
  const email_verified_at = new Date().toISOString()
  await db.updateTable('users').set({ email_verified_at }).where('id', '=', world.ben.id).execute()
  expect(await find({ email: 'ADA@acme.test' })).toEqual([world.ada.id])
  expect(await find({ role: 'user', active: 'true' })).toEqual([world.ben.id])
  expect(await find({ has_valid_email: 'true' })).toEqual([world.ben.id])
  expect(await find({ has_valid_email: 'false' })).toEqual([world.ada.id])
  expect(await find({ has_valid_email: '' })).toEqual([world.ada.id, world.ben.id])
})

test('of two admins who demote each other at once, one remains admin', async ({ as, world, server, setRole }) => {
  await setRole(world.ben.id, 'admin')
  const answers = await Promise.all([
    statusOf(setRole(world.ben.id, 'user', as.ada)),
    statusOf(setRole(world.ada.id, 'user', as.ben)),
  ])
  expect(answers.filter((status) => status === 200)).toHaveLength(1)
  const { data } = await as.ada(team.list)
  expect(data.filter(({ role }) => role === 'admin')).toHaveLength(1)
  await server.context.db.updateTable('users').set({ role: 'admin' }).where('id', '=', world.ada.id).execute()
  await setRole(world.ben.id, 'user')
})

test.for(['disable', 'archive'] as const)(
  'two admins who %s each other at once leave one',
  async (deal, { as, enter, setRole }) => {
    const first = await enter({ company_name: 'Two of us' })
    const invitation = await as.holder(first.token)(invitations.create)
    const other = await enter({ invite_token: invitation.data.id })
    await setRole(other.user_id, 'admin', as.holder(first.token))
    const answers = await Promise.all([
      statusOf(as.holder(first.token)(team[deal], { params: { id: other.user_id } })),
      statusOf(as.holder(other.token)(team[deal], { params: { id: first.user_id } })),
    ])
    expect(answers.filter((status) => status === 200)).toHaveLength(1)
    const trails = await Promise.all([first, other].map(({ token }) => statusOf(as.holder(token)(audit.list))))
    expect(trails.toSorted()).toEqual([200, 401])
  },
)

test('an invitation ends when its creator may no longer invite, and its id does not reveal it', async ({
  as,
  server,
  enter,
  setRole,
}) => {
  const boss = await enter({ company_name: 'Fleeting' })
  const first = await as.holder(boss.token)(invitations.create)
  const deputy = await enter({ invite_token: first.data.token })
  await setRole(deputy.user_id, 'admin', as.holder(boss.token))
  const made = await server.request('POST', '/api/user_invitations', { token: deputy.token })
  expect(made.headers).not.toHaveProperty('location')
  const list = await as.holder(boss.token)(invitations.list)
  expect(JSON.stringify(list)).not.toContain(made.body.data.token)
  const join = (invite_token: string) => {
    const user = { email: 'late@fleeting.test', password: PASSWORD, password_confirmation: PASSWORD, invite_token }
    return as.anybody(authSessions.register, { body: { user } })
  }
  await expect(join(list.data[0]!.id)).rejects.toMatchObject({ message: 'Invalid invitation token' })
  await setRole(deputy.user_id, 'user', as.holder(boss.token))
  await expect(join(made.body.data.token)).rejects.toMatchObject({ status: 403, reason: 'invalid_invitation' })
  expect((await as.holder(boss.token)(invitations.list)).data).toEqual([])
  await setRole(deputy.user_id, 'admin', as.holder(boss.token))
  await as.holder(boss.token)(team.disable, { params: { id: deputy.user_id } })
  await expect(join(made.body.data.token)).rejects.toMatchObject({ status: 403 })
})

test('a disabled user is locked out at once, in requests and sockets, until enabled', async ({
  as,
  world,
  openSocket,
}) => {
  const socket = openSocket({ token: world.ben.token })
  await socket.join(`notification:${world.acme.id}`)
  const closed = new Promise((resolve) => socket.socket.onClose(resolve))
  const watching = openSocket({ token: world.ada.token })
  const received = await watching.join(`notification:${world.acme.id}`)

  const { data } = await as.ada(team.disable, { params: { id: world.ben.id } })
  expect(data.disabled_at).not.toBeNull()
  await closed
  await received.receive('user:updated', ({ id, disabled_at }) => id === world.ben.id && disabled_at)
  await expect(as.ben(authSessions.me)).rejects.toMatchObject({ status: 401 })
  const signIn = () =>
    as.anybody(authSessions.signIn, { body: { user: { email: world.ben.email, password: PASSWORD } } })
  await expect(signIn()).rejects.toMatchObject({
    message: 'Your account is disabled. Please contact your team admin to enable your account.',
  })
  const listed = withoutBystanders((await as.ada(team.list)).data)
  expect(listed.map(({ id }) => id)).toEqual([world.ada.id])

  await as.ada(team.enable, { params: { id: world.ben.id } })
  const back = await signIn()
  world.ben.token = back.data.token
})

test('a member may do none of this', async ({ world, server }) => {
  const ada = `/api/users/${world.ada.id}`
  for (const [method, path] of [
    ['POST', `${ada}/disable`],
    ['PUT', `${ada}/role`],
    ['POST', '/api/user_invitations'],
    ['GET', '/api/audit_entries'],
    ['GET', '/api/mails'],
  ] as const) {
    const { status, body } = await server.request(method, path, { token: world.ben.token, body: { role: 'user' } })
    expect([path, status, body.error.message]).toEqual([path, 401, 'Unauthorized access'])
  }
})

test('users update only their own profile, and the team is notified', async ({ as, world }) => {
  const { data } = await as.ben(users.updateProfile, {
    body: { user_profile: { display_name: ' Benny ', full_name: '' } },
  })
  expect(data).toMatchObject({
    id: world.ben.id,
    display_name: 'Benny',
    full_name: null,
    account_id: world.acme.id,
  })
  await expect(
    as.ada(users.updateProfile, { body: { user_profile: { profile_photo_url: 'javascript:alert(1)' } } }),
  ).rejects.toHaveProperty('errors', { profile_photo_url: ['is invalid'] })
})

test('without billing no plan applies or is returned, even if one is stored', async ({ as, server, enter }) => {
  const boss = await enter({ company_name: 'Own server' })
  const invite = () => as.holder(boss.token)(invitations.create)
  const { db } = server.context
  await db.updateTable('accounts').set({ subscription_plan: 'starter' }).where('id', '=', boss.account_id).execute()
  const joined = []
  for (let seat = 2; seat <= 5; seat++) joined.push(await enter({ invite_token: (await invite()).data.token }))
  await as.holder(boss.token)(team.disable, { params: { id: joined.at(-1)!.user_id } })
  expect(
    (await as.holder(boss.token)(team.enable, { params: { id: joined.at(-1)!.user_id } })).data.disabled_at,
  ).toBeNull()
  const { data } = await as.holder(boss.token)(accounts.mine)
  expect([data.users.length, data.subscription_plan]).toEqual([5, 'team'])
  const shown = await as.anybody(widgets.settings, { query: { account_id: boss.account_id } })
  expect(shown.data.account.subscription_plan).toBe('team')
})

test('an invitation by mail carries the link and the address; without a mail server an admin reads it', async ({
  as,
}) => {
  await expect(as.ada(invitations.email, { body: {} })).rejects.toMatchObject({
    status: 400,
    message: 'The following parameters are required: to_address',
  })
  await as.ada(invitations.email, { body: { to_address: 'Elsa@New.test' } })
  await as.ada(invitations.email, { body: { email: 'Dana@New.test' } })
  const body = await as.ada(mails.list)
  expect(body.is_mail_server_set).toBe(false)
  const [newest] = body.data
  expect(newest).toMatchObject({ kind: 'invitation', recipient: 'dana@new.test', sent_at: null })
  const letter = await as.ada(mails.get, { params: { id: newest!.id } })
  expect(letter.data.text).toMatch(/\/register\/[-\w]{36}\?email=dana%40new\.test/)
  const list = await as.ada(invitations.list)
  await as.ada(invitations.update, { params: { id: list.data[0]!.id }, body: { user_invitation: {} } })
  await as.ada(invitations.remove, { params: { id: list.data[0]!.id } })
  const token = /register\/([-\w]{36})/.exec(letter.data.text)![1]
  const user = { invite_token: token, email: 'dana@new.test', password: PASSWORD, password_confirmation: PASSWORD }
  await expect(as.anybody(authSessions.register, { body: { user } })).rejects.toMatchObject({
    status: 403,
    message: 'Invalid invitation token',
  })
})

test('nobody is invited who has an account; a mailed invitation is listed, mailed again with a new link, and revoked', async ({
  as,
  world,
  server,
}) => {
  const invite = (to_address: string) => as.ada(invitations.email, { body: { to_address } })
  const refused = async (to_address: string) => (await refusalOf(invite(to_address))).reason
  expect(await refused(world.ben.email)).toBe('already_member')
  expect(await refused(world.olga.email)).toBe('email_taken')
  await expect(invite('a@b')).rejects.toHaveProperty('errors', { to_address: ['has invalid format'] })

  // Invited twice, they have one valid link.
  await invite('finn@new.test')
  await invite('finn@new.test')
  const pending = async () =>
    (await as.ada(invitations.list)).data.filter((invitation) => invitation.email === 'finn@new.test')
  const [invitation, ...more] = await pending()
  const { id } = invitation!
  expect(more).toEqual([])
  const linkOf = async () => {
    const { data } = await as.ada(mails.list)
    const { id: mail } = data.find((item) => item.recipient === 'finn@new.test')!
    return /register\/([-\w]{36})/.exec((await as.ada(mails.get, { params: { id: mail } })).data.text)![1]
  }
  const check = (invite_token = '') =>
    as.anybody(invitations.check, { body: { invite_token } }).then(
      ({ data }) => data,
      (refused: Refused) => refused.reason,
    )
  const first = await linkOf()
  // Checking does not use it up.
  for (const _ of [1, 2]) expect(await check(first)).toEqual({ company_name: 'Acme' })
  await as.ada(invitations.resend, { params: { id } })
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
  await as.ada(invitations.remove, { params: { id } })
  expect(await pending()).toEqual([])
  await expect(as.ada(invitations.resend, { params: { id } })).rejects.toMatchObject({ status: 404 })
  const link = (await as.ada(invitations.create)).data
  await expect(as.ada(invitations.resend, { params: { id: link.token } })).rejects.toMatchObject({
    reason: 'no_address',
  })
})

test('actions are recorded with their actor, filtered and exported', async ({ as, world }) => {
  const all = await as.ada(audit.list)
  const actions = all.data.map(({ action }) => action)
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
  expect(all.data.find(({ action }) => action === 'user.disabled')).toMatchObject({
    user_id: world.ada.id,
    user: { email: world.ada.email },
    subject_id: String(world.ben.id),
  })
  const roles = all.data.filter(({ action }) => action === 'user.role_changed')
  expect(roles.map(({ details }) => details)).toContainEqual({
    fields: ['role'],
    changes: { role: { from: 'user', to: 'admin' } },
  })
  const entries = (await as.ada(audit.list, { query: { action: 'invitation' } })).data
  expect(entries.length).toBeGreaterThan(0)
  expect(entries.every(({ action }) => action.startsWith('invitation.'))).toBe(true)
  const hers = (await as.ada(audit.list, { query: { user_id: world.ada.id } })).data
  expect(hers.length).toBeGreaterThan(0)
  expect(hers.every(({ user_id }) => user_id === world.ada.id)).toBe(true)
  const csv = await as.ada(audit.export)
  expect(String(csv).split('\r\n')[0]).toBe('\ufefftime,user,action,subject,subject_id,details,address')
  expect(csv).toContain('user.disabled')
  expect(csv).toContain('role: user → admin')
})
