import type { Email } from 'postal-mime'
import { afterAll } from 'vitest'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { userSettings } from '#contract/accounts/user-settings.ts'
import { mails } from '#contract/mail/mails.ts'
import { test as base, expect, statusOf } from '#tests/support/fixture.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { PASSWORD, type Person, register } from '#tests/support/world.ts'

const mail = await startMailServer()
afterAll(() => mail.close())

const tokenIn = ({ text = '' }: Email) => /token=([\w-]+)/.exec(text)![1]!
const isReset = ({ subject = '' }: Email) => subject === '[Parley] Link to reset your password'
const fresh = (password: string) => ({ password, password_confirmation: password })

const test = base
  .extend('env', { scope: 'file' }, { SMTP_URL: mail.url, BASE_URL: 'https://chat.acme.test' })
  .extend('signIn', ({ as }) => (email: string, password: string) => {
    return as.anybody(authSessions.signIn, { body: { user: { email, password } } })
  })
  .extend('anotherBrowser', ({ signIn }) => async (person: Person, password = PASSWORD): Promise<string> => {
    return (await signIn(person.email, password)).data.token
  })

test('a new user is mailed a link to confirm the address, which reports a second use', async ({ as, server }) => {
  await register(server, 'Just begun', 'ida@begun.test')
  const letter = await mail.receive('ida@begun.test', ({ subject }) => subject === 'Confirm your email address')
  expect(letter.text).toContain('https://chat.acme.test/verify?token=')
  const token = tokenIn(letter)
  expect(await as.anybody(authSessions.verifyEmail, { body: { token } })).toEqual({ data: { success: true } })
  expect(await as.anybody(authSessions.verifyEmail, { body: { token } })).toEqual({
    data: { success: true, message: 'Email already verified!' },
  })
})

test('a verification token that nobody sent is refused', async ({ as }) => {
  await expect(as.anybody(authSessions.verifyEmail, { body: { token: 'pot_made-up' } })).rejects.toMatchObject({
    status: 401,
    message: 'Invalid verification token',
  })
})

test('a reset link is mailed, works once, and ends every session', async ({
  as,
  world,
  openSocket,
  anotherBrowser,
  signIn,
}) => {
  const { ben } = world
  const token = await anotherBrowser(ben)
  const socket = openSocket({ token })
  await socket.join(`notification:${world.acme.id}`)
  const closed = new Promise((resolve) => socket.socket.onClose(resolve))

  expect(await as.anybody(authSessions.requestReset, { body: { email: ` ${ben.email.toUpperCase()} ` } })).toEqual({
    data: { ok: true },
  })
  const reset = tokenIn(await mail.receive(ben.email, isReset))
  const answer = await as.anybody(authSessions.resetPassword, { body: { token: reset, ...fresh('a new beginning') } })
  expect(answer).toEqual({ data: { success: true, email: ben.email } })

  await closed
  await expect(as.holder(token)(authSessions.me)).rejects.toMatchObject({ status: 401 })
  await expect(signIn(ben.email, PASSWORD)).rejects.toMatchObject({ status: 401 })
  await signIn(ben.email, 'a new beginning')
  await expect(
    as.anybody(authSessions.resetPassword, { body: { token: reset, ...fresh('another one') } }),
  ).rejects.toMatchObject({ status: 401, message: 'Invalid or expired password reset link' })
})

test('an unknown address gets the same response as a known one, and no mail is sent', async ({ as, server }) => {
  expect(await as.anybody(authSessions.requestReset, { body: { email: 'nobody@acme.test' } })).toEqual({
    data: { ok: true },
  })
  const { db } = server.context
  expect(await db.selectFrom('mails').select('id').where('recipient', '=', 'nobody@acme.test').execute()).toEqual([])
})

test('the mail with the reset link is in the language of its reader', async ({ as, server }) => {
  const { token, email } = await register(server, 'Nhà máy', 'mai@factory.test')
  await as.holder(token)(userSettings.update, { body: { user_settings: { language: 'vi' } } })
  await as.anybody(authSessions.requestReset, { body: { email } })
  const letter = await mail.receive(email, ({ text = '' }) => text.includes('/reset?token='))
  expect(letter.subject).toBe('[Parley] Liên kết đặt lại mật khẩu')
})

test('only the newest reset link works, and not after two hours', async ({ as, world, server }) => {
  const { olga } = world
  await as.anybody(authSessions.requestReset, { body: { email: olga.email } })
  const first = tokenIn(await mail.receive(olga.email, isReset))
  await as.anybody(authSessions.requestReset, { body: { email: olga.email } })
  const second = tokenIn(await mail.receive(olga.email, (received) => isReset(received) && tokenIn(received) !== first))
  await expect(
    as.anybody(authSessions.resetPassword, { body: { token: first, ...fresh('long enough') } }),
  ).rejects.toMatchObject({ status: 401 })
  await server.context.db
    .updateTable('one_time_tokens')
    .set({ expires_at: new Date(Date.now() - 1).toISOString() })
    .where('account_id', '=', world.other.id)
    .execute()
  await expect(
    as.anybody(authSessions.resetPassword, { body: { token: second, ...fresh('long enough') } }),
  ).rejects.toMatchObject({ status: 401 })
})

test('a password that is too short or not repeated is refused by its field, and the link stays valid', async ({
  as,
  world,
  anotherBrowser,
}) => {
  await as.anybody(authSessions.requestReset, { body: { email: world.ada.email } })
  const token = tokenIn(await mail.receive(world.ada.email, isReset))
  await expect(as.anybody(authSessions.resetPassword, { body: { token, ...fresh('short') } })).rejects.toHaveProperty(
    'errors',
    { password: ['should be at least 8 character(s)'] },
  )
  await expect(
    as.anybody(authSessions.resetPassword, {
      body: {
        token,
        password: 'long enough',
        password_confirmation: 'not the same',
      },
    }),
  ).rejects.toHaveProperty('errors', { password_confirmation: ['does not match confirmation'] })
  await as.anybody(authSessions.resetPassword, { body: { token, ...fresh(PASSWORD) } })
  world.ada.token = await anotherBrowser(world.ada)
})

test('a changed password signs the other browsers out, and only who knows the old one may change it', async ({
  as,
  world,
  openSocket,
  anotherBrowser,
}) => {
  const { ada } = world
  const elsewhere = await anotherBrowser(ada)
  const [own, other] = [ada.token, elsewhere].map((token) => openSocket({ token }))
  for (const socket of [own!, other!]) await socket.join(`notification:${world.acme.id}`)
  const closed = new Promise((resolve) => other!.socket.onClose(resolve))
  await expect(
    as.holder(ada.token)(authSessions.changePassword, {
      body: { current_password: 'guessed it', ...fresh('brand new password') },
    }),
  ).rejects.toHaveProperty('errors', { current_password: ['is invalid'] })
  await as.holder(ada.token)(authSessions.changePassword, {
    body: { current_password: PASSWORD, ...fresh('brand new password') },
  })
  await as.holder(ada.token)(authSessions.me)
  await expect(as.holder(elsewhere)(authSessions.me)).rejects.toMatchObject({ status: 401 })
  await closed
  expect(own!.socket.isConnected()).toBe(true)
})

test('one’s sessions are listed, and one or all others can be ended', async ({ as, world, anotherBrowser }) => {
  const { ada } = world
  const tokens = [await anotherBrowser(ada, 'brand new password'), await anotherBrowser(ada, 'brand new password')]
  const list = async () => (await as.holder(ada.token)(authSessions.list)).data
  expect(await list()).toHaveLength(3)
  const [current, ...others] = (await list()).toSorted((session) => (session.is_current ? -1 : 1))
  expect(current).toMatchObject({ object: 'auth_session', is_current: true })
  await as.holder(ada.token)(authSessions.end, { params: { id: others[0]!.id } })
  const statuses = await Promise.all(tokens.map((token) => statusOf(as.holder(token)(authSessions.me))))
  expect(statuses.toSorted()).toEqual([200, 401])
  await as.holder(ada.token)(authSessions.endOthers)
  expect(await list()).toHaveLength(1)
  await expect(as.olga(authSessions.end, { params: { id: current!.id } })).rejects.toMatchObject({ status: 404 })
})

test('a mail that is refused temporarily is retried, and one refused for good is recorded as failed', async ({
  as,
}) => {
  mail.refuseWith(550)
  await as.olga(authSessions.sendVerification)
  const failed = async () => {
    const { data } = await as.olga(mails.list)
    return data[0]!
  }
  await expect.poll(async () => (await failed()).failed_at, { timeout: 10_000 }).not.toBeNull()
  expect(await failed()).toMatchObject({
    kind: 'verification',
    sent_at: null,
    failure: expect.stringContaining('not today'),
  })
  mail.refuseWith(undefined)
  const letter = await as.olga(mails.get, { params: { id: (await failed()).id } })
  expect(letter.data.text, 'it opens an account').toBe('')
})

test('admins cannot read mails with links to somebody’s account, sent or waiting', async ({ as, world }) => {
  mail.refuseWith(450)
  await as.anybody(authSessions.requestReset, { body: { email: world.ben.email } })
  const waiting = (await as.ada(mails.list)).data[0]!
  expect(waiting).toMatchObject({ kind: 'password_reset', recipient: world.ben.email, sent_at: null })
  const letter = await as.ada(mails.get, { params: { id: waiting.id } })
  expect(letter.data).toMatchObject({ text: '', html: '' })
  mail.refuseWith(undefined)
  const body = await as.ada(mails.list)
  const sent = body.data.filter(({ sent_at }) => sent_at)
  expect(sent.length).toBeGreaterThan(1)
  for (const { id } of sent) {
    const { data } = await as.ada(mails.get, { params: { id } })
    expect(data.text).toBe('')
  }
})
