import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from './support/mail-server.ts'
import { runParley, urlOf } from './support/operator.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { TestSocket } from './support/sockets.ts'
import { createWorld, type World } from './support/world.ts'

let mail: MailServer
let server: TestServer
let world: World
beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

const run = (command: string, address: string, more: Record<string, string> = {}) =>
  runParley(command, address, { DATABASE_URL: urlOf(server.database), BASE_URL: 'https://chat.acme.test', ...more })
const trail = async () => (await server.request('GET', '/api/audit_entries', { token: world.ada.token })).body.data

test('an operator gets a link to a new password for somebody to whom no mail comes, once, and the trail says so', async () => {
  const { code, said } = await run('reset-password', ' Ben@Acme.test')
  expect(code).toBe(0)
  expect(said).toMatch(
    /^ben@acme\.test can choose a new password here within 2 hours:\nhttps:\/\/chat\.acme\.test\/reset\?token=/,
  )
  const token = said.trim().split('token=')[1]
  const body = { token, password: 'a new passphrase', password_confirmation: 'a new passphrase' }
  expect((await server.request('PUT', '/api/reset_password', { body })).status).toBe(200)
  expect((await server.request('PUT', '/api/reset_password', { body })).status).toBe(401)
  const user = { email: 'ben@acme.test', password: 'a new passphrase' }
  expect((await server.request('POST', '/api/session', { body: { user } })).status).toBe(200)
  expect(await trail()).toContainEqual(
    expect.objectContaining({ action: 'password.reset_by_operator', subject_name: 'ben@acme.test', user: null }),
  )
})

test('an operator makes somebody an admin while the server runs, and their screens are told of it', async () => {
  const socket = new TestSocket(server.url, { token: world.ada.token })
  const team = await socket.join(`notification:${world.acme.id}`)
  const { code, said } = await run('make-admin', 'ben@acme.test')
  expect([code, said.trim()]).toEqual([0, 'ben@acme.test is an admin now.'])
  expect((await server.request('GET', '/api/users', { token: world.ada.token })).body.data).toContainEqual(
    expect.objectContaining({ email: 'ben@acme.test', role: 'admin' }),
  )
  await team.receive('user:updated', ({ email, role }) => email === 'ben@acme.test' && role === 'admin')
  socket.close()
  expect((await run('make-admin', 'ben@acme.test')).said.trim()).toBe('ben@acme.test is an admin already.')
})

test('whom nobody knows, and who is disabled, is told in a sentence', async () => {
  const unknown = await run('reset-password', 'nobody@acme.test')
  expect([unknown.code, unknown.said.trim()]).toEqual([1, 'Nobody here has the e-mail address nobody@acme.test.'])
  await server.request('POST', `/api/users/${world.ben.id}/disable`, { token: world.ada.token })
  const disabled = await run('make-admin', 'ben@acme.test')
  expect([disabled.code, disabled.said]).toEqual([1, expect.stringMatching(/^ben@acme\.test is disabled\./)])
})

test('a test mail goes out at once, and what the mail server says is shown', async () => {
  const sent = await run('test-mail', 'olga@acme.test', { SMTP_URL: mail.url })
  expect([sent.code, sent.said]).toEqual([
    0,
    expect.stringMatching(/^The mail server took a mail to olga@acme\.test\./),
  ])
  expect(mail.mails.map(({ subject }) => subject)).toContain('A test mail from Parley')
  const refused = await run('test-mail', 'olga@acme.test', { SMTP_URL: 'smtp://127.0.0.1:1' })
  expect([refused.code, refused.said]).toEqual([1, expect.stringMatching(/did not take the mail: .*ECONNREFUSED/)])
  expect((await run('test-mail', 'olga@acme.test')).said).toMatch(/^No SMTP_URL is set/)
})
