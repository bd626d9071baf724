import { afterAll } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { invitations } from '#contract/accounts/invitations.ts'
import { users } from '#contract/accounts/users.ts'
import { conversationForwarding } from '#contract/mail/conversation-forwarding.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { register, startConversation } from '#tests/support/world.ts'

const mail = await startMailServer()
afterAll(() => mail.close())

const test = base
  .extend('env', { scope: 'file' }, { SMTP_URL: mail.url, USER_INVITATION_EMAIL: 'on', RATE_LIMITS: 'on' })
  /** Confirms somebody's address by the link that was mailed. */
  .extend('confirm', ({ as }) => async (email: string) => {
    const { text = '' } = await mail.receive(email, ({ subject }) => /Confirm/.test(subject ?? ''))
    await as.anybody(authSessions.verifyEmail, { body: { token: /token=(\S+)/.exec(text)![1]! } })
  })

test('only after somebody has confirmed their own address are mails sent to addresses of an account’s choice', async ({
  as,
  world,
  server,
  confirm,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const forward = { to: 'victim@elsewhere.test', note: 'Pay here' }
  const attempts = [
    () => as.ada(invitations.email, { body: { to_address: 'victim@elsewhere.test' } }),
    () => as.ada(conversationForwarding.forward, { params: { id: conversation_id }, body: { forward } }),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ status: 409, reason: 'unverified' })
  await as.ada(authSessions.sendVerification)
  await confirm(world.ada.email)
  for (const attempt of attempts) await attempt()
  await mail.receive('victim@elsewhere.test')
})

test('an account mails a limited number of invitations, and its name makes no link in them', async ({
  as,
  server,
  confirm,
}) => {
  const boss = await register(server, 'Pay at https://evil.example/x now', 'boss@fresh.test')
  const call = as.holder(boss.token)
  await confirm(boss.email)
  await call(users.updateProfile, { body: { user_profile: { full_name: 'www.evil.example' } } })
  let sent = 0
  while (sent < 60) {
    const invited = call(invitations.email, { body: { to_address: `guest${sent}@elsewhere.test` } })
    const refused = await invited.then(
      () => undefined,
      (error: { status: number }) => error.status,
    )
    if (refused) break
    sent++
  }
  expect(sent).toBeLessThanOrEqual(51)
  expect(sent).toBeGreaterThan(20)
  const { subject = '', text = '', html = '' } = await mail.receive('guest0@elsewhere.test')
  for (const part of [subject, text, html]) {
    expect(part).not.toMatch(/evil\.example|https:\/\/evil/)
    expect(part.replaceAll('\u2060', '')).toContain('Pay at https://evil.example/x now')
  }
  expect(subject.replaceAll('\u2060', '')).toContain('www.evil.example')
  expect((await call(accounts.mine)).data.company_name).toBe('Pay at https://evil.example/x now')
})
