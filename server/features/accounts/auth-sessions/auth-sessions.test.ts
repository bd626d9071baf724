import { sql } from 'kysely'
import { accounts } from '#contract/accounts/accounts.ts'
import { audit } from '#contract/accounts/audit.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { invitations } from '#contract/accounts/invitations.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { test as base, type Caller, expect, refusalOf } from '#tests/support/fixture.ts'
import { PASSWORD } from '#tests/support/world.ts'

/** Renews like clients that know no retry keys, without a body. */
const renew = (who: Caller) => who(authSessions.renew, { body: undefined as never })
const renewWith = (who: Caller, retry_key: string) => who(authSessions.renew, { body: { retry_key } })

const me = (who: Caller) => who(authSessions.me)
const person = (email: string) => ({ company_name: 'New', email, password: PASSWORD, password_confirmation: PASSWORD })

const test = base
  .extend('register', ({ as }) => (user: BodyInput<typeof authSessions.register>['user']) => {
    return as.anybody(authSessions.register, { body: { user } })
  })
  .extend('signIn', ({ as }) => (email: string, password = PASSWORD) => {
    return as.anybody(authSessions.signIn, { body: { user: { email, password } } })
  })
  /** Moves all renewals so far back in time. */
  .extend('spendEarlier', ({ world, server }) => (ago: string) => {
    return sql`update spent_renew_tokens set spent_at = spent_at - ${ago}::interval where auth_session_id in
    (select id from auth_sessions where user_id in (${world.ada.id}, ${world.ben.id}))`.execute(server.context.db)
  })
  .extend('letAMinutePass', ({ spendEarlier }) => () => {
    return spendEarlier('1 minute')
  })
  /** Sets when Ben's access tokens expire. */
  .extend('expireAccess', ({ world, server }) => (inTime: string) => {
    return sql`update auth_sessions set access_expires_at = now() + ${inTime}::interval where user_id = ${world.ben.id}`.execute(
      server.context.db,
    )
  })

test('registration creates an account with an admin, a primary inbox and its widget settings', async ({
  as,
  register,
}) => {
  const { data } = await register(person('first@new.test'))
  expect((await me(as.holder(data.token))).data).toMatchObject({ role: 'admin', email: 'first@new.test' })
  const account = await as.holder(data.token)(accounts.mine)
  expect(account.data).toMatchObject({
    company_name: 'New',
    subscription_plan: 'team',
    is_outside_working_hours: false,
  })
  expect(account.data.widget_settings).toHaveLength(1)
  const inbox = await as.holder(data.token)(inboxes.primary)
  expect(inbox.data).toMatchObject({ name: 'Primary Inbox', is_primary: true })
})

test('a person with an invitation joins the account as user, once', async ({ as, world, register }) => {
  const invitation = await as.ada(invitations.create)
  const draft = { ...person('cleo@acme.test'), company_name: undefined, invite_token: invitation.data.id }
  const joined = await register(draft)
  expect(joined.data.account_id).toBe(world.acme.id)
  expect((await me(as.holder(joined.data.token))).data.role).toBe('user')
  await expect(register({ ...draft, email: 'dora@acme.test' })).rejects.toMatchObject({
    status: 403,
    message: 'Invalid invitation token',
  })
  const trail = await as.ada(audit.list, { query: { action: 'user.joined' } })
  expect(trail.data[0]).toMatchObject({ user: { email: 'cleo@acme.test' }, subject_name: 'cleo@acme.test' })
})

test('an expired invitation is refused with the reason', async ({ as, server, register }) => {
  const invitation = await as.ada(invitations.create)
  await sql`update user_invitations set expires_at = now() - interval '1 minute' where token_hash = sha256(${invitation.data.token}::text::bytea)`.execute(
    server.context.db,
  )
  await expect(register({ ...person('late@acme.test'), invite_token: invitation.data.id })).rejects.toMatchObject({
    status: 403,
    message: 'Invitation token has expired',
  })
})

test('an account id is not an invitation, and role or account in the body are ignored', async ({ world, register }) => {
  await expect(register({ ...person('sneak@evil.test'), invite_token: world.acme.id })).rejects.toMatchObject({
    status: 403,
  })
  const { data } = await register({ ...person('sneak@evil.test'), ...{ account_id: world.acme.id, role: 'admin' } })
  expect(data.account_id).not.toBe(world.acme.id)
})

test.for<[Partial<ReturnType<typeof person>>, object]>([
  [{ email: '' }, { email: ["can't be blank", 'has invalid format'] }],
  [{ email: 'no-at' }, { email: ['has invalid format'] }],
  [{ password: 'short', password_confirmation: 'short' }, { password: ['should be at least 8 character(s)'] }],
  [{ password_confirmation: 'different one' }, { password_confirmation: ['does not match confirmation'] }],
  [{ company_name: '  ' }, { company_name: ["can't be blank"] }],
])('registration with %o answers 422 with the field', async ([wrong, errors], { register }) => {
  await expect(register({ ...person('fine@new.test'), ...wrong })).rejects.toEqual(
    expect.objectContaining({ status: 422, errors }),
  )
})

test('an e-mail that has an account is refused with the error of Papercups, and a reason for our own page', async ({
  register,
}) => {
  const { status, body } = await refusalOf(register({ ...person('fine@new.test'), email: 'ADA@acme.test ' }))
  expect([status, body.error]).toEqual([
    422,
    {
      status: 422,
      code: 422,
      message: "Couldn't create user",
      reason: 'email_taken',
      errors: { email: ['has already been taken'] },
    },
  ])
})

test('sign-in compares the e-mail without case and answers with both tokens', async ({ as, world, signIn }) => {
  const { data } = await signIn(' Ada@ACME.test ')
  expect(data).toMatchObject({ user_id: world.ada.id, account_id: world.acme.id, email: 'ada@acme.test' })
  await me(as.holder(data.token))
  await me(as.holder(`Bearer ${data.token}`))
})

test('a wrong password and an unknown e-mail get the same answer', async ({ signIn }) => {
  const wrong = await refusalOf(signIn('ada@acme.test', 'not this one'))
  const unknown = await refusalOf(signIn('nobody@acme.test'))
  expect(wrong.body).toEqual(unknown.body)
  expect(wrong.body.error).toMatchObject({ status: 401, code: 401, message: 'Invalid email or password' })
})

test('a renew token works once and makes the old access token useless', async ({ as, signIn }) => {
  const first = await signIn('ben@acme.test')
  const second = await renew(as.holder(first.data.renew_token))
  await expect(me(as.holder(first.data.token))).rejects.toMatchObject({ status: 401 })
  await me(as.holder(second.data.token))
  await expect(renew(as.holder(first.data.renew_token))).rejects.toMatchObject({ message: 'Invalid token' })
  await me(as.holder(second.data.token))
})

test('a client that lost the response gets the same tokens with the same retry key, until they are used', async ({
  as,
  signIn,
  spendEarlier,
}) => {
  const { data } = await signIn('ada@acme.test')
  const renewAgain = (renew_token: string, retry_key: string) => renewWith(as.holder(renew_token), retry_key)
  const lost = await renewAgain(data.renew_token, 'kept')
  await spendEarlier('1 day')
  const again = await renewAgain(data.renew_token, 'kept')
  expect(again.data.renew_token).toBe(lost.data.renew_token)
  await me(as.holder(again.data.token))
  const later = await renewAgain(again.data.renew_token, 'another')
  await expect(renewAgain(data.renew_token, 'kept'), 'the pair was used, so this is a copy').rejects.toMatchObject({
    status: 401,
  })
  await expect(me(as.holder(later.data.token))).rejects.toMatchObject({ status: 401 })
})

test('a used renew token is invalid with another retry key', async ({ as, signIn }) => {
  const { data } = await signIn('ada@acme.test')
  const first = await renewWith(as.holder(data.renew_token), 'kept')
  await expect(renewWith(as.holder(data.renew_token), 'guessed')).rejects.toMatchObject({ status: 401 })
  await me(as.holder(first.data.token))
})

test('a renew token that was used with a retry key and appears again later ends the session', async ({
  as,
  signIn,
  letAMinutePass,
}) => {
  const first = await signIn('ben@acme.test')
  const second = await renewWith(as.holder(first.data.renew_token), 'kept')
  await letAMinutePass()
  await expect(renew(as.holder(first.data.renew_token))).rejects.toMatchObject({ status: 401 })
  await expect(me(as.holder(second.data.token))).rejects.toMatchObject({ status: 401 })
  await expect(renew(as.holder(second.data.renew_token))).rejects.toMatchObject({ status: 401 })
})

test('a stale renewal of a client without retry keys is refused, and leaves the newest session alone', async ({
  as,
  signIn,
  letAMinutePass,
}) => {
  const first = await signIn('ben@acme.test')
  const second = await renew(as.holder(first.data.renew_token))
  await letAMinutePass()
  await expect(renew(as.holder(first.data.renew_token))).rejects.toMatchObject({
    status: 401,
    message: 'Invalid token',
  })
  await me(as.holder(second.data.token))
  await renew(as.holder(second.data.renew_token))
})

test('two tabs of an old client whose timers fire late, with tokens from their start, stay signed in', async ({
  as,
  signIn,
  letAMinutePass,
}) => {
  const signedIn = await signIn('ben@acme.test')
  // Both tabs share one local storage, but each tab's timer keeps the token it was set with.
  let stored = signedIn.data
  const fire = async (captured: string) => {
    const renewed = await renew(as.holder(captured)).catch(() => undefined)
    if (renewed) stored = renewed.data
  }
  const [tabA, tabB] = [stored.renew_token, stored.renew_token]
  for (const captured of [tabA, tabB, tabA, stored.renew_token, tabB, tabA]) {
    await fire(captured)
    await letAMinutePass()
    await me(as.holder(stored.token))
  }
  await renew(as.holder(stored.renew_token))
})

test('signing out ends the session; without a token it changes nothing', async ({ as, signIn }) => {
  const { data } = await signIn('ben@acme.test')
  expect(await as.anybody(authSessions.signOut)).toEqual({ data: {} })
  await me(as.holder(data.token))
  await as.holder(data.token)(authSessions.signOut)
  await expect(me(as.holder(data.token))).rejects.toMatchObject({ status: 401 })
  await expect(renew(as.holder(data.renew_token))).rejects.toMatchObject({ status: 401 })
})

test('signing out with an expired access token also ends the session', async ({ as, signIn, expireAccess }) => {
  const { data } = await signIn('ben@acme.test')
  await expireAccess('-1 second')
  await as.holder(data.token)(authSessions.signOut)
  await expireAccess('30 minutes')
  await expect(renew(as.holder(data.renew_token))).rejects.toMatchObject({ status: 401 })
})

test('an access token expires after 30 minutes', async ({ as, signIn, expireAccess }) => {
  const { data } = await signIn('ben@acme.test')
  await expireAccess('-1 second')
  await expect(me(as.holder(data.token))).rejects.toHaveProperty(
    'body.error',
    expect.objectContaining({ code: 401, message: 'Not authenticated' }),
  )
  await renew(as.holder(data.renew_token))
  await expireAccess('30 minutes')
})

test('a disabled user is refused with the reason at sign-in, at renewal and at every call', async ({
  as,
  server,
  signIn,
}) => {
  const { data } = await signIn('cleo@acme.test')
  await sql`update users set disabled_at = now() where email = 'cleo@acme.test'`.execute(server.context.db)
  const refusals = [
    await refusalOf(signIn('cleo@acme.test')),
    await refusalOf(renew(as.holder(data.renew_token))),
    await refusalOf(me(as.holder(data.token))),
  ]
  for (const { status, message } of refusals) {
    expect(status).toBe(401)
    expect(message).toBe('Your account is disabled. Please contact your team admin to enable your account.')
  }
})

test('only hashes of tokens are stored', async ({ server, signIn }) => {
  const { data } = await signIn('ada@acme.test')
  const { rows } = await sql<{ text: string }>`select auth_sessions::text as text from auth_sessions`.execute(
    server.context.db,
  )
  for (const { text } of rows) {
    expect(text).not.toContain(data.token)
    expect(text).not.toContain(data.renew_token)
  }
})

test('only admins invite', async ({ as }) => {
  await expect(as.ben(invitations.create)).rejects.toMatchObject({ status: 401, message: 'Unauthorized access' })
})
