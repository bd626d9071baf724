import { afterAll } from 'vitest'
import { audit } from '#contract/accounts/audit.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { team } from '#contract/accounts/team.ts'
import { twoFactor } from '#contract/accounts/two-factor.ts'
import { codeAt } from '#server/features/accounts/auth-sessions/totp.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startMailServer } from './support/mail-server.ts'
import { runParley, urlOf } from './support/operator.ts'
import { PASSWORD } from './support/world.ts'

const mail = await startMailServer()
afterAll(() => mail.close())

const test = base
  .extend('run', ({ server }) => (command: string, address: string, more: Record<string, string> = {}) => {
    const settings = { DATABASE_URL: urlOf(server.database), BASE_URL: 'https://chat.acme.test' }
    return runParley(command, address, { ...settings, ...more })
  })
  .extend(
    'trail',
    ({ as }) =>
      async () =>
        (await as.ada(audit.list)).data,
  )

test('an operator can create a password link for somebody who receives no mails, which works once and is in the audit trail', async ({
  as,
  run,
  trail,
}) => {
  const { code, output } = await run('reset-password', ' Ben@Acme.test')
  expect(code).toBe(0)
  expect(output).toMatch(
    /^ben@acme\.test can choose a new password here within 2 hours:\nhttps:\/\/chat\.acme\.test\/reset\?token=/,
  )
  const token = output.trim().split('token=')[1] ?? ''
  const body = { token, password: 'a new passphrase', password_confirmation: 'a new passphrase' }
  await as.anybody(authSessions.resetPassword, { body })
  await expect(as.anybody(authSessions.resetPassword, { body })).rejects.toMatchObject({ status: 401 })
  const user = { email: 'ben@acme.test', password: 'a new passphrase' }
  await as.anybody(authSessions.signIn, { body: { user } })
  expect(await trail()).toContainEqual(
    expect.objectContaining({ action: 'password.reset_by_operator', subject_name: 'ben@acme.test', user: null }),
  )
})

test('an operator makes somebody an admin while the server runs, and their screens are updated', async ({
  as,
  world,
  openSocket,
  run,
}) => {
  const socket = openSocket({ token: world.ada.token })
  const received = await socket.join(`notification:${world.acme.id}`)
  const { code, output } = await run('make-admin', 'ben@acme.test')
  expect([code, output.trim()]).toEqual([0, 'ben@acme.test is an admin now.'])
  expect((await as.ada(team.list)).data).toContainEqual(
    expect.objectContaining({ email: 'ben@acme.test', role: 'admin' }),
  )
  await received.receive('user:updated', ({ email, role }) => email === 'ben@acme.test' && role === 'admin')
  socket.close()
  expect((await run('make-admin', 'ben@acme.test')).output.trim()).toBe('ben@acme.test is an admin already.')
})

test('an operator removes a second factor that the only admin lost, who then signs in with the password and is told by mail', async ({
  as,
  world,
  run,
  trail,
  server,
}) => {
  const user = { email: world.ada.email, password: PASSWORD }
  const signIn = () => as.anybody(authSessions.signIn, { body: { user } })
  const { data } = await as.ada(twoFactor.begin, { body: { password: PASSWORD } })
  await as.ada(twoFactor.confirm, { body: { code: codeAt(data.secret, Math.floor(Date.now() / 30_000)) } })
  await expect(signIn()).rejects.toMatchObject({ reason: 'two_factor_required' })
  const { code, output } = await run('reset-second-factor', world.ada.email)
  expect([code, output]).toEqual([0, expect.stringMatching(/^ada@acme\.test signs in with the password alone/)])
  await signIn()
  expect(await trail()).toContainEqual(
    expect.objectContaining({ action: 'two_factor.removed', subject_name: world.ada.email, user: null }),
  )
  const mails = await server.context.db.selectFrom('mails').select(['recipient', 'kind']).execute()
  expect(mails).toContainEqual({ recipient: world.ada.email, kind: 'two_factor_removed' })
  const again = await run('reset-second-factor', world.ada.email)
  expect([again.code, again.output.trim()]).toEqual([1, 'This user has no second factor.'])
})

test('unknown and disabled people get a clear error', async ({ as, world, run }) => {
  const unknown = await run('reset-password', 'nobody@acme.test')
  expect([unknown.code, unknown.output.trim()]).toEqual([1, 'No user has the e-mail address nobody@acme.test.'])
  await as.ada(team.disable, { params: { id: world.ben.id } })
  const disabled = await run('make-admin', 'ben@acme.test')
  expect([disabled.code, disabled.output]).toEqual([1, expect.stringMatching(/^ben@acme\.test is disabled\./)])
})

test('a test mail goes out at once, and what the mail server says is shown', async ({ run }) => {
  const sent = await run('test-mail', 'olga@acme.test', { SMTP_URL: mail.url })
  expect([sent.code, sent.output]).toEqual([
    0,
    expect.stringMatching(/^The mail server accepted a mail to olga@acme\.test\./),
  ])
  expect(mail.mails.map(({ subject }) => subject)).toContain('A test mail from Parley')
  const refused = await run('test-mail', 'olga@acme.test', { SMTP_URL: 'smtp://127.0.0.1:1' })
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringMatching(/127\.0\.0\.1:1 cannot be reached\. Nothing listens/),
  ])
  expect((await run('test-mail', 'olga@acme.test')).output).toMatch(/^No SMTP_URL is set/)
})
