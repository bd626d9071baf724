import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, PASSWORD, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const register = (user: object) => server.request('POST', '/api/registration', { body: { user } })
const signIn = (email: string, password = PASSWORD) =>
  server.request('POST', '/api/session', { body: { user: { email, password } } })
const renew = (token: string) => server.request('POST', '/api/session/renew', { token })
const renewWith = (token: string, retry_key: string) =>
  server.request('POST', '/api/session/renew', { token, body: { retry_key } })
/** As if all renewals so far had been so long ago. */
const spendEarlier = (ago: string) =>
  sql`update spent_renew_tokens set spent_at = spent_at - ${ago}::interval where auth_session_id in
    (select id from auth_sessions where user_id in (${world.ada.id}, ${world.ben.id}))`.execute(server.context.db)
const letAMinutePass = () => spendEarlier('1 minute')
/** When the access tokens of Ben end. */
const expireAccess = (inTime: string) =>
  sql`update auth_sessions set access_expires_at = now() + ${inTime}::interval where user_id = ${world.ben.id}`.execute(
    server.context.db,
  )
const me = (token: string) => server.request('GET', '/api/me', { token })
const person = (email: string) => ({ company_name: 'New', email, password: PASSWORD, password_confirmation: PASSWORD })

test('registration opens an account with an admin, a primary inbox and its widget settings', async () => {
  const { body } = await register(person('first@new.test'))
  expect(await me(body.data.token)).toMatchObject({ body: { data: { role: 'admin', email: 'first@new.test' } } })
  const account = await server.request('GET', '/api/accounts/me', { token: body.data.token })
  expect(account.body.data).toMatchObject({
    company_name: 'New',
    subscription_plan: 'team',
    is_outside_working_hours: false,
  })
  expect(account.body.data.widget_settings).toHaveLength(1)
  const inbox = await server.request('GET', '/api/inboxes/primary', { token: body.data.token })
  expect(inbox.body.data).toMatchObject({ name: 'Primary Inbox', is_primary: true })
})

test('a person with an invitation joins the account as user, once', async () => {
  const invitation = await server.request('POST', '/api/user_invitations', { token: world.ada.token })
  const draft = { ...person('cleo@acme.test'), company_name: undefined, invite_token: invitation.body.data.id }
  const joined = await register(draft)
  expect(joined.body.data.account_id).toBe(world.acme.id)
  expect((await me(joined.body.data.token)).body.data.role).toBe('user')
  const again = await register({ ...draft, email: 'dora@acme.test' })
  expect(again.body.error).toMatchObject({ status: 403, message: 'Invalid invitation token' })
  const trail = await server.request('GET', '/api/audit_entries?action=user.joined', { token: world.ada.token })
  expect(trail.body.data[0]).toMatchObject({ user: { email: 'cleo@acme.test' }, subject_name: 'cleo@acme.test' })
})

test('an expired invitation says so', async () => {
  const invitation = await server.request('POST', '/api/user_invitations', { token: world.ada.token })
  await sql`update user_invitations set expires_at = now() - interval '1 minute' where token_hash = sha256(${invitation.body.data.token}::text::bytea)`.execute(
    server.context.db,
  )
  const late = await register({ ...person('late@acme.test'), invite_token: invitation.body.data.id })
  expect(late.body.error).toMatchObject({ status: 403, message: 'Invitation token has expired' })
})

test('an account id is not an invitation, and role or account in the body are not honoured', async () => {
  const byAccount = await register({ ...person('sneak@evil.test'), invite_token: world.acme.id })
  expect(byAccount.status).toBe(403)
  const { body } = await register({ ...person('sneak@evil.test'), account_id: world.acme.id, role: 'admin' })
  expect(body.data.account_id).not.toBe(world.acme.id)
})

test.each([
  [{ email: '' }, { email: ["can't be blank", 'has invalid format'] }],
  [{ email: 'no-at' }, { email: ['has invalid format'] }],
  [{ password: 'short', password_confirmation: 'short' }, { password: ['should be at least 8 character(s)'] }],
  [{ password_confirmation: 'different one' }, { password_confirmation: ['does not match confirmation'] }],
  [{ company_name: '  ' }, { company_name: ["can't be blank"] }],
])('registration with %o answers 422 with the field', async (wrong, errors) => {
  const answer = await register({ ...person('fine@new.test'), ...wrong })
  expect(answer.status).toBe(422)
  expect(answer.body.error.errors).toEqual(errors)
})

test('an e-mail that has an account is refused in the words of the predecessor, and by a reason for our own page', async () => {
  const { status, body } = await register({ ...person('fine@new.test'), email: 'ADA@acme.test ' })
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

test('sign-in compares the e-mail without case and answers with both tokens', async () => {
  const { body, status } = await signIn(' Ada@ACME.test ')
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ user_id: world.ada.id, account_id: world.acme.id, email: 'ada@acme.test' })
  expect((await me(body.data.token)).status).toBe(200)
  expect((await me(`Bearer ${body.data.token}`)).status).toBe(200)
})

test('a wrong password and an unknown e-mail get the same answer', async () => {
  const wrong = await signIn('ada@acme.test', 'not this one')
  const unknown = await signIn('nobody@acme.test')
  expect(wrong.body).toEqual(unknown.body)
  expect(wrong.body.error).toMatchObject({ status: 401, code: 401, message: 'Invalid email or password' })
})

test('a renew token works once and makes the old access token useless', async () => {
  const { body: first } = await signIn('ben@acme.test')
  const { body: second, status } = await renew(first.data.renew_token)
  expect(status).toBe(200)
  expect((await me(first.data.token)).status).toBe(401)
  expect((await me(second.data.token)).status).toBe(200)
  expect((await renew(first.data.renew_token)).body.error.message).toBe('Invalid token')
  expect((await me(second.data.token)).status, 'a tab that was too late harms nobody').toBe(200)
})

test('whoever lost the answer gets the pair by asking again with the same retry key, until it is used', async () => {
  const { body } = await signIn('ada@acme.test')
  const ask = renewWith
  const lost = await ask(body.data.renew_token, 'kept')
  await spendEarlier('1 day')
  const again = await ask(body.data.renew_token, 'kept')
  expect([again.status, again.body.data.renew_token]).toEqual([200, lost.body.data.renew_token])
  expect((await me(again.body.data.token)).status).toBe(200)
  const later = await ask(again.body.data.renew_token, 'another')
  expect(later.status).toBe(200)
  expect((await ask(body.data.renew_token, 'kept')).status, 'the pair was used, so this is a copy').toBe(401)
  expect((await me(later.body.data.token)).status).toBe(401)
})

test('a renew token that was spent opens nothing with another retry key', async () => {
  const { body } = await signIn('ada@acme.test')
  const first = await renewWith(body.data.renew_token, 'kept')
  const stolen = { token: body.data.renew_token, body: { retry_key: 'guessed' } }
  expect((await server.request('POST', '/api/session/renew', stolen)).status).toBe(401)
  expect((await me(first.body.data.token)).status).toBe(200)
})

test('a renew token that was traded with a retry key and shows up again later ends the whole session', async () => {
  const { body: first } = await signIn('ben@acme.test')
  const { body: second } = await renewWith(first.data.renew_token, 'kept')
  await letAMinutePass()
  expect((await renew(first.data.renew_token)).status).toBe(401)
  expect((await me(second.data.token)).status).toBe(401)
  expect((await renew(second.data.renew_token)).status).toBe(401)
})

test('a stale renewal of a client without retry keys is refused, and leaves the newest session alone', async () => {
  const { body: first } = await signIn('ben@acme.test')
  const { body: second } = await renew(first.data.renew_token)
  await letAMinutePass()
  expect((await renew(first.data.renew_token)).body.error).toMatchObject({ status: 401, message: 'Invalid token' })
  expect((await me(second.data.token)).status).toBe(200)
  expect((await renew(second.data.renew_token)).status).toBe(200)
})

test('two tabs of an old client whose timers fire late, with tokens from their start, stay signed in', async () => {
  const { body: signedIn } = await signIn('ben@acme.test')
  // Both tabs keep what they get in one local storage, and their timers remember what they were set with.
  let stored = signedIn.data
  const fire = async (captured: string) => {
    const { status, body } = await renew(captured)
    if (status === 200) stored = body.data
  }
  const [tabA, tabB] = [stored.renew_token, stored.renew_token]
  for (const captured of [tabA, tabB, tabA, stored.renew_token, tabB, tabA]) {
    await fire(captured)
    await letAMinutePass()
    expect((await me(stored.token)).status).toBe(200)
  }
  expect((await renew(stored.renew_token)).status).toBe(200)
})

test('signing out ends the session; without a token it changes nothing', async () => {
  const { body } = await signIn('ben@acme.test')
  expect((await server.request('DELETE', '/api/session')).body).toEqual({ data: {} })
  expect((await me(body.data.token)).status).toBe(200)
  await server.request('DELETE', '/api/session', { token: body.data.token })
  expect((await me(body.data.token)).status).toBe(401)
  expect((await renew(body.data.renew_token)).status).toBe(401)
})

test('signing out with an access token that has expired ends the session all the same', async () => {
  const { body } = await signIn('ben@acme.test')
  await expireAccess('-1 second')
  expect((await server.request('DELETE', '/api/session', { token: body.data.token })).status).toBe(200)
  await expireAccess('30 minutes')
  expect((await renew(body.data.renew_token)).status).toBe(401)
})

test('an access token stops after 30 minutes', async () => {
  const { body } = await signIn('ben@acme.test')
  await expireAccess('-1 second')
  expect((await me(body.data.token)).body.error).toMatchObject({ code: 401, message: 'Not authenticated' })
  expect((await renew(body.data.renew_token)).status).toBe(200)
  await expireAccess('30 minutes')
})

test('a disabled user is told so at sign-in, at renewal and at every call', async () => {
  const { body } = await signIn('cleo@acme.test')
  await sql`update users set disabled_at = now() where email = 'cleo@acme.test'`.execute(server.context.db)
  const refusals = [await signIn('cleo@acme.test'), await renew(body.data.renew_token), await me(body.data.token)]
  for (const { status, body: said } of refusals) {
    expect(status).toBe(401)
    expect(said.error.message).toBe('Your account is disabled. Please contact your team admin to enable your account.')
  }
})

test('only hashes of tokens are stored', async () => {
  const { body } = await signIn('ada@acme.test')
  const { rows } = await sql<{ text: string }>`select auth_sessions::text as text from auth_sessions`.execute(
    server.context.db,
  )
  for (const { text } of rows) {
    expect(text).not.toContain(body.data.token)
    expect(text).not.toContain(body.data.renew_token)
  }
})

test('only admins invite', async () => {
  const answer = await server.request('POST', '/api/user_invitations', { token: world.ben.token })
  expect(answer.body.error).toMatchObject({ status: 401, message: 'Unauthorized access' })
})
