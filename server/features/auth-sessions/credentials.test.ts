import type { Email } from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, PASSWORD, type Person, register, type World } from '#tests/support/world.ts'

let mail: MailServer
let server: TestServer
let world: World
beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ SMTP_URL: mail.url, BASE_URL: 'https://chat.acme.test' })
  world = await createWorld(server)
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

const post = (path: string, body: object, token?: string) => server.request('POST', path, { body, token })
const put = (path: string, body: object, token?: string) => server.request('PUT', path, { body, token })
const signIn = (email: string, password: string) => post('/api/session', { user: { email, password } })
const tokenIn = ({ text = '' }: Email) => /token=([\w-]+)/.exec(text)![1]!
const isReset = ({ subject = '' }: Email) => subject === '[Parley] Link to reset your password'
const fresh = (password: string) => ({ password, password_confirmation: password })

async function anotherBrowser(person: Person, password = PASSWORD): Promise<string> {
  return (await signIn(person.email, password)).body.data.token
}

test('whoever registers is asked by mail to confirm the address; the link says so when it was used before', async () => {
  await register(server, 'Just begun', 'ida@begun.test')
  const letter = await mail.receive('ida@begun.test', ({ subject }) => subject === 'Confirm your email address')
  expect(letter.text).toContain('https://chat.acme.test/verify?token=')
  const token = tokenIn(letter)
  expect((await post('/api/verify_email', { token })).body).toEqual({ data: { success: true } })
  expect((await post('/api/verify_email', { token })).body).toEqual({
    data: { success: true, message: 'Email already verified!' },
  })
})

test('a verification token that nobody sent is refused', async () => {
  const { status, body } = await post('/api/verify_email', { token: 'pot_made-up' })
  expect([status, body.error.message]).toEqual([401, 'Invalid verification token'])
})

test('a reset link is mailed, works once, and ends every session', async () => {
  const { ben } = world
  const token = await anotherBrowser(ben)
  const socket = new TestSocket(server.url, { token })
  await socket.join(`notification:${world.acme.id}`)
  const closed = new Promise((resolve) => socket.socket.onClose(resolve))

  expect((await post('/api/reset_password', { email: ` ${ben.email.toUpperCase()} ` })).body).toEqual({
    data: { ok: true },
  })
  const reset = tokenIn(await mail.receive(ben.email, isReset))
  const answer = await put('/api/reset_password', { token: reset, ...fresh('a new beginning') })
  expect(answer.body).toEqual({ data: { success: true, email: ben.email } })

  await closed
  socket.close()
  expect((await server.request('GET', '/api/me', { token })).status).toBe(401)
  expect((await signIn(ben.email, PASSWORD)).status).toBe(401)
  expect((await signIn(ben.email, 'a new beginning')).status).toBe(200)
  const again = await put('/api/reset_password', { token: reset, ...fresh('another one') })
  expect([again.status, again.body.error.message]).toEqual([401, 'Invalid or expired password reset link'])
})

test('an unknown address is answered like a known one, and nothing is sent', async () => {
  expect((await post('/api/reset_password', { email: 'nobody@acme.test' })).body).toEqual({ data: { ok: true } })
  const { db } = server.context
  expect(await db.selectFrom('mails').select('id').where('recipient', '=', 'nobody@acme.test').execute()).toEqual([])
})

test('the link to a new password comes in the language of whoever forgot theirs', async () => {
  const { token, email } = await register(server, 'Nhà máy', 'mai@factory.test')
  await put('/api/user_settings', { user_settings: { language: 'vi' } }, token)
  await post('/api/reset_password', { email })
  const letter = await mail.receive(email, ({ text = '' }) => text.includes('/reset?token='))
  expect(letter.subject).toBe('[Parley] Liên kết đặt lại mật khẩu')
})

test('only the newest reset link works, and not after two hours', async () => {
  const { olga } = world
  await post('/api/reset_password', { email: olga.email })
  const first = tokenIn(await mail.receive(olga.email, isReset))
  await post('/api/reset_password', { email: olga.email })
  const second = tokenIn(await mail.receive(olga.email, (one) => isReset(one) && tokenIn(one) !== first))
  expect((await put('/api/reset_password', { token: first, ...fresh('long enough') })).status).toBe(401)
  await server.context.db
    .updateTable('one_time_tokens')
    .set({ expires_at: new Date(Date.now() - 1).toISOString() })
    .where('account_id', '=', world.other.id)
    .execute()
  expect((await put('/api/reset_password', { token: second, ...fresh('long enough') })).status).toBe(401)
})

test('a password that is too short or not repeated is refused by its field, and the link stays good', async () => {
  await post('/api/reset_password', { email: world.ada.email })
  const token = tokenIn(await mail.receive(world.ada.email, isReset))
  const short = await put('/api/reset_password', { token, ...fresh('short') })
  expect(short.body.error.errors).toEqual({ password: ['should be at least 8 character(s)'] })
  const other = await put('/api/reset_password', {
    token,
    password: 'long enough',
    password_confirmation: 'not the same',
  })
  expect(other.body.error.errors).toEqual({ password_confirmation: ['does not match confirmation'] })
  expect((await put('/api/reset_password', { token, ...fresh(PASSWORD) })).status).toBe(200)
  world.ada.token = await anotherBrowser(world.ada)
})

test('a changed password signs the other browsers out, and only who knows the old one may change it', async () => {
  const { ada } = world
  const elsewhere = await anotherBrowser(ada)
  const [own, other] = [ada.token, elsewhere].map((token) => new TestSocket(server.url, { token }))
  for (const socket of [own!, other!]) await socket.join(`notification:${world.acme.id}`)
  const closed = new Promise((resolve) => other!.socket.onClose(resolve))
  const wrong = await put(
    '/api/password',
    { current_password: 'guessed it', ...fresh('brand new password') },
    ada.token,
  )
  expect(wrong.body.error.errors).toEqual({ current_password: ['is invalid'] })
  const right = await put('/api/password', { current_password: PASSWORD, ...fresh('brand new password') }, ada.token)
  expect(right.status).toBe(200)
  expect((await server.request('GET', '/api/me', { token: ada.token })).status).toBe(200)
  expect((await server.request('GET', '/api/me', { token: elsewhere })).status).toBe(401)
  await closed
  expect(own!.socket.isConnected()).toBe(true)
  for (const socket of [own!, other!]) socket.close()
})

test('one’s sessions are listed, and one or all others can be ended', async () => {
  const { ada } = world
  const tokens = [await anotherBrowser(ada, 'brand new password'), await anotherBrowser(ada, 'brand new password')]
  const list = async () => (await server.request('GET', '/api/auth_sessions', { token: ada.token })).body.data
  expect(await list()).toHaveLength(3)
  const [current, ...others] = (await list()).toSorted((one: { is_current: boolean }) => (one.is_current ? -1 : 1))
  expect(current).toMatchObject({ object: 'auth_session', is_current: true })
  await server.request('DELETE', `/api/auth_sessions/${others[0].id}`, { token: ada.token })
  const open = async (token: string) => (await server.request('GET', '/api/me', { token })).status === 200
  expect([await open(tokens[0]!), await open(tokens[1]!)].filter(Boolean)).toHaveLength(1)
  await server.request('DELETE', '/api/auth_sessions', { token: ada.token })
  expect(await list()).toHaveLength(1)
  const foreign = await server.request('DELETE', `/api/auth_sessions/${current.id}`, { token: world.olga.token })
  expect(foreign.status).toBe(404)
})

test('a mail that the server will not take now is tried again, one it will never take is noted', async () => {
  mail.refuseWith(550)
  await post('/api/verification_emails', {}, world.olga.token)
  const failed = async () => {
    const { body } = await server.request('GET', '/api/mails', { token: world.olga.token })
    return body.data[0]
  }
  await expect.poll(async () => (await failed()).failed_at, { timeout: 10_000 }).not.toBeNull()
  expect(await failed()).toMatchObject({
    kind: 'verification',
    sent_at: null,
    failure: expect.stringContaining('not today'),
  })
  mail.refuseWith(undefined)
  const letter = await server.request('GET', `/api/mails/${(await failed()).id}`, { token: world.olga.token })
  expect(letter.body.data.text, 'it opens an account').toBe('')
})

test('a mail that opens somebody’s account is no admin’s to read, sent or on its way', async () => {
  mail.refuseWith(450)
  await post('/api/reset_password', { email: world.ben.email })
  const waiting = (await server.request('GET', '/api/mails', { token: world.ada.token })).body.data[0]
  expect(waiting).toMatchObject({ kind: 'password_reset', recipient: world.ben.email, sent_at: null })
  const letter = await server.request('GET', `/api/mails/${waiting.id}`, { token: world.ada.token })
  expect(letter.body.data).toMatchObject({ text: '', html: '' })
  mail.refuseWith(undefined)
  const { body } = await server.request('GET', '/api/mails', { token: world.ada.token })
  const sent = body.data.filter(({ sent_at }: { sent_at: string | null }) => sent_at)
  expect(sent.length).toBeGreaterThan(1)
  for (const { id } of sent) {
    const { body } = await server.request('GET', `/api/mails/${id}`, { token: world.ada.token })
    expect(body.data.text).toBe('')
  }
})
