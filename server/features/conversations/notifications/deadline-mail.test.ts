import { afterAll } from 'vitest'
import { userSettings } from '#contract/accounts/user-settings.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { deadlines } from '#contract/conversations/deadlines.ts'
import { mails } from '#contract/mail/mails.ts'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { checkDeadlines } from '../deadlines/checking.ts'
import { mailDeadline } from './deadline-mail.ts'

const MINUTE = 60_000
const POLL = { timeout: 20_000, interval: 50 }
const mail = await startMailServer()
afterAll(() => mail.close())

const soon = () => new Date(Date.now() + 45 * MINUTE)

const test = base
  .extend('env', { scope: 'file' }, { SMTP_URL: mail.url, BASE_URL: 'https://chat.acme.test' })
  /** A conversation that is due in an hour; the team is warned half an hour before. */
  .extend('begin', async ({ as, server, world }, { onCleanup }) => {
    const policy = { name: 'All', in_working_hours: false, first_reply_minutes: 60, warn_minutes: 30 }
    await as.ada(deadlines.createPolicy, { body: { policy } })
    onCleanup(async () => {
      for (const { id } of withoutBystanders((await as.ada(deadlines.listPolicies)).data))
        await as.ada(deadlines.removePolicy, { params: { id } })
      for (const who of [as.ada, as.ben])
        await who(userSettings.update, { body: { user_settings: { email_alert_on_deadline: false } } })
    })
    return async (name: string) => {
      const visitor = await startVisitor(server, world.acme.id, { name })
      const { conversation_id: id } = await startConversation(server, visitor, 'How long does it take?')
      const due = async () => (await as.ben(conversations.get, { params: { id } })).data.due_at
      await expect.poll(due, POLL).not.toBeNull()
      return id
    }
  })
  /** Two servers look at once, until the deadline of a conversation is announced: what happened before is read first. */
  .extend('warn', ({ as, server }) => async (id: string) => {
    const look = async () => {
      await Promise.all([checkDeadlines(server.context, soon()), checkDeadlines(server.context, soon())])
      return (await as.ben(deadlines.ofConversation, { params: { id } })).data.find(({ warned_at }) => warned_at)?.id
    }
    await expect.poll(look, POLL).toEqual(expect.any(String))
    return (await look())!
  })
  .extend('mailsTo', ({ as }) => async (recipient: string) => {
    const { data } = await as.ada(mails.list)
    return data
      .filter((listed) => listed.kind === 'deadline' && listed.recipient === recipient)
      .map(({ subject }) => subject)
  })

test('who wants it is mailed once that a deadline comes close: the assignee, or everybody if nobody is assigned', async ({
  as,
  world,
  server,
  begin,
  warn,
  mailsTo,
}) => {
  expect((await as.ben(userSettings.get)).data.email_alert_on_deadline).toBe(false)
  for (const who of [as.ada, as.ben])
    await who(userSettings.update, { body: { user_settings: { email_alert_on_deadline: true } } })
  const id = await begin('Nobodys')
  const deadline_id = await warn(id)
  const letter = await mail.receive(world.ben.email, ({ subject = '' }) => /Nobodys/.test(subject))
  expect(letter.subject).toBe('Deadline soon: Nobodys')
  expect(letter.text).toContain('> How long does it take?')
  expect(letter.text).toContain(`https://chat.acme.test/conversations/all/${id}`)
  // Another server does the same job again.
  await mailDeadline.run(server.context, { account_id: world.acme.id, deadline_id })
  expect(await mailsTo(world.ben.email)).toEqual(['Deadline soon: Nobodys'])
  expect(await mailsTo(world.ada.email)).toEqual(['Deadline soon: Nobodys'])

  const own = await begin('Bens')
  const params = { id: own }
  await as.ben(conversations.update, { params, body: { conversation: { assignee_id: world.ben.id } } })
  await warn(own)
  await expect.poll(() => mailsTo(world.ben.email), POLL).toContain('Deadline soon: Bens')
  expect(await mailsTo(world.ada.email)).toEqual(['Deadline soon: Nobodys'])
})

test('no mail says that a deadline comes close whose conversation was snoozed or answered meanwhile', async ({
  as,
  world,
  server,
  begin,
  warn,
  mailsTo,
}) => {
  const id = await begin('Sleeper')
  const deadline_id = await warn(id)
  await as.ben(userSettings.update, { body: { user_settings: { email_alert_on_deadline: true } } })
  const snooze = (snoozed: { until: null } | null) =>
    as.ben(conversations.update, { params: { id }, body: { conversation: { snoozed } } })
  await snooze({ until: null })
  await mailDeadline.run(server.context, { account_id: world.acme.id, deadline_id })
  expect(await mailsTo(world.ben.email)).not.toContain('Deadline soon: Sleeper')
  await as.ben(conversations.update, { params: { id }, body: { conversation: { status: 'closed' } } })
  await mailDeadline.run(server.context, { account_id: world.acme.id, deadline_id })
  expect(await mailsTo(world.ben.email)).not.toContain('Deadline soon: Sleeper')
})
