import { afterAll } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { audit } from '#contract/accounts/audit.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { invitations } from '#contract/accounts/invitations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { sharing } from '#contract/conversations/sharing.ts'
import { customers } from '#contract/customers/customers.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { widgets } from '#contract/widget/widgets.ts'
import { test as base, expect, refusalOf, statusOf } from '#tests/support/fixture.ts'
import { allProcessed, RELAY_KEY, relayMail, writeMail } from '#tests/support/incoming-mail.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { runParley, urlOf } from '#tests/support/operator.ts'
import { createApiKey, PASSWORD, startConversation, startVisitor } from '#tests/support/world.ts'
import { setSuspended } from './suspension.ts'

const mail = await startMailServer()
afterAll(() => mail.close())

const test = base
  .extend('env', { scope: 'file' }, { SMTP_URL: mail.url, MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_KEY: RELAY_KEY })
  .extend('setTo', ({ server: { context }, world }, { onCleanup }) => {
    const setTo = (suspended: boolean) => context.change((tx) => setSuspended(context, tx, world.acme.id, suspended))
    onCleanup(async () => void (await setTo(false)))
    return setTo
  })
  .extend('run', ({ server }) => (command: string, argument: string) => {
    return runParley(command, argument, { DATABASE_URL: urlOf(server.database) })
  })

test('nobody of a suspended company signs in, goes on with a session or uses an API key; the sentence says why', async ({
  as,
  server,
  world,
  setTo,
}) => {
  const key = as.holder(await createApiKey(server, world.ada.token))
  const invite_token = (await as.ada(invitations.create)).data.token!
  await setTo(true)
  const user = { email: world.ben.email, password: PASSWORD }
  const joining = { email: 'late@acme.test', password: PASSWORD, password_confirmation: PASSWORD, invite_token }
  for (const call of [
    () => as.anybody(authSessions.signIn, { body: { user } }),
    () => as.anybody(authSessions.register, { body: { user: joining } }),
    () => as.holder(world.ben.renew_token)(authSessions.renew, { body: {} }),
    () => as.ben(accounts.mine),
    () => key(accounts.mine),
  ]) {
    const refused = await refusalOf(call())
    expect([refused.status, refused.reason]).toEqual([401, 'suspended'])
    expect(refused.message).toBe('Your company was suspended by the operator of this server. Please contact them.')
  }
  expect((await as.olga(accounts.mine)).data.id).not.toBe(world.acme.id)
  await setTo(false)
  await as.ben(accounts.mine)
  await key(accounts.mine)
})

test('its widgets, visitors, old clients, shared links and files find nothing', async ({
  as,
  server,
  world,
  setTo,
}) => {
  const account_id = world.acme.id
  const visitor = await startVisitor(server, account_id, { name: 'Visitor' })
  const { conversation_id } = await startConversation(server, visitor)
  const { data: old } = await as.anybody(customers.create, { body: { customer: { account_id } } })
  const {
    data: { token },
  } = await as.ben(sharing.share, { params: { id: conversation_id } })
  const form = new FormData()
  form.append('file', new Blob(['A lamp'], { type: 'text/plain' }), 'lamp.txt')
  form.append('account_id', account_id)
  const uploaded = await fetch(`${server.url}/api/upload`, { method: 'POST', body: form })
  const { file_url } = ((await uploaded.json()) as { data: { file_url: string } }).data
  const script = async () => (await fetch(`${server.url}/widget.js?token=${account_id}`)).text()
  const plain = async () => (await fetch(`${server.url}/widget.js`)).text()
  const outcomes = async () => [
    await statusOf(as.anybody(widgets.settings, { query: { account_id } })),
    await statusOf(as.anybody(widgets.team, { query: { account_id } })),
    await startVisitor(server, account_id).then(
      () => 200,
      () => 'refused',
    ),
    await statusOf(as.anybody(customers.create, { body: { customer: { account_id } } })),
    await statusOf(as.anybody(conversations.create, { body: { conversation: { account_id, customer_id: old.id } } })),
    await statusOf(as.holder(visitor.token)(conversations.create, { body: { conversation: {} } })),
    await statusOf(as.anybody(sharing.shared, { query: { conversation_id, token } })),
    (await fetch(new URL(new URL(file_url).pathname, server.url))).status,
    (await script()) === (await plain()),
  ]
  const before = await outcomes()
  expect(before).toEqual([200, 200, 200, 200, 200, 200, 200, 200, false])
  await setTo(true)
  expect(await outcomes()).toEqual([404, 404, 'refused', 422, 422, 401, 403, 404, true])
  await setTo(false)
  expect(await outcomes()).toEqual(before)
})

test('mails to it and from it are kept, and go on once it is resumed', async ({ as, server, setTo }) => {
  const body = { forwarding_address: { source_email_address: 'help@acme.test' } }
  const { data } = await as.ada(forwardingAddresses.create, { body })
  const to = data.forwarding_email_address
  await setTo(true)
  await server.request('POST', '/api/reset_password', { body: { email: 'ben@acme.test' } })
  const answer = await relayMail(server, writeMail({ to, text: 'Sent meanwhile' }), { to })
  expect(answer.status).toBe(200)
  const { db } = server.context
  const kept = () => db.selectFrom('mails').select('subject').where('kept_at', 'is not', null).execute()
  await expect.poll(kept).toHaveLength(1)
  const [{ subject } = { subject: '' }] = await kept()
  const waiting = await db.selectFrom('inbound_events').select(['state', 'tries']).execute()
  expect(waiting).toContainEqual({ state: 'waiting', tries: 0 })
  expect(mail.mails).toHaveLength(0)
  await setTo(false)
  const { inboundOf } = await import('../../connections/inbound/process.ts')
  inboundOf(server.context).wake()
  await allProcessed(server)
  const { data: list } = await as.ben(conversations.list, { query: {} })
  expect(JSON.stringify(list)).toContain('Sent meanwhile')
  const { sendFreshMails } = await import('../../mail/mails/unsent-mails.ts')
  await sendFreshMails(server.context, new Date())
  // Beside it, the team may be told of the new conversation.
  await expect.poll(() => mail.mails.map(({ subject }) => subject)).toContain(subject)
})

test('the operator suspends and resumes a company by its name, which ends its sockets and is in the audit trail', async ({
  as,
  world,
  openSocket,
  run,
  setTo: _,
}) => {
  const sockets = [openSocket({ token: world.ben.token }), openSocket({ visitor_token: world.carla.token })]
  await sockets[0]!.join(`notification:${world.acme.id}`)
  const closed = sockets.map(({ socket }) => new Promise((resolve) => socket.onClose(resolve)))
  expect(await run('companies suspend', 'acme')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Acme is suspended/),
  })
  await Promise.all(closed)
  for (const socket of sockets) socket.close()
  expect(await statusOf(as.ben(accounts.mine))).toBe(401)
  expect((await run('companies', '')).output).toContain(new Date().getUTCFullYear().toString())
  expect(await run('companies resume', world.acme.id)).toMatchObject({ code: 0 })
  const { data } = await as.ada(audit.list, { query: { action: 'account' } })
  expect(data.map(({ action, user }) => [action, user])).toEqual(
    expect.arrayContaining([
      ['account.suspended', null],
      ['account.resumed', null],
    ]),
  )
})

test('the operator closes a company once its name is typed; an unknown one is refused', async ({ as, server, run }) => {
  const user = { company_name: 'Short-lived', email: 'short@lived.test', password: PASSWORD }
  const body = { user: { ...user, password_confirmation: PASSWORD } }
  const { data } = await as.anybody(authSessions.register, { body })
  expect(await run('companies close', 'Nobody')).toMatchObject({ code: 1, output: expect.stringContaining('Nobody') })
  const refused = await run('companies close', 'Short-lived')
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('Nothing was deleted.') })
  await as.holder(data.token)(accounts.mine)
  expect(await run('companies close Short-lived', '--yes')).toMatchObject({ code: 0 })
  expect(await statusOf(as.holder(data.token)(accounts.mine))).toBe(401)
  const rows = () => server.context.db.selectFrom('accounts').select('id').where('id', '=', data.account_id).execute()
  await expect.poll(rows, { timeout: 30_000 }).toEqual([])
})
