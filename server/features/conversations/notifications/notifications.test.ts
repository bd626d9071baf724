import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { userSettings } from '#contract/accounts/user-settings.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { notifications } from '#contract/conversations/notifications.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { mails } from '#contract/mail/mails.ts'
import { test as base, type Caller, expect } from '#tests/support/fixture.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { alertTeam, enqueueAlert } from './alert-team.ts'
import { mailMention } from './mention-mail.ts'
import { mailReply } from './reply-mail.ts'

const mail = await startMailServer()
afterAll(() => mail.close())
let conversation_id: string

async function post(who: Caller, message: Partial<BodyInput<typeof messages.create>['message']>) {
  const { data } = await who(messages.create, { body: { message: { conversation_id, id: randomUUID(), ...message } } })
  return data.id
}

/** Excludes the mails about registration, whose time is not predictable. */
const count = (address: string) =>
  mail.mails.filter((sent) => !/Confirm/.test(sent.subject ?? '') && sent.to?.some((to) => to.address === address))
    .length
const isAlert = ({ subject = '' }) => /Carla/.test(subject)

const test = base
  .extend('env', { scope: 'file' }, { SMTP_URL: mail.url, BASE_URL: 'https://chat.acme.test' })
  /** Ben's notification settings. */
  .extend(
    'choose',
    { scope: 'file' },
    ({ as }) =>
      (user_settings: BodyInput<typeof userSettings.update>['user_settings']) => {
        return as.ben(userSettings.update, { body: { user_settings } })
      },
  )
  /** The messages among these for which a mail to the customer is planned. */
  .extend('jobs', ({ server }) => async (ids: string[]) => {
    const { rows } = await sql<{ message_id: string }>`
    select data ->> 'message_id' as message_id from jobs.job
    where name = 'notifications.mailReply' and data ->> 'message_id' = any(${ids})`.execute(server.context.db)
    return rows.map(({ message_id }) => message_id)
  })

test.beforeAll(async ({ as, world, server, choose }) => {
  await as.ada(userSettings.update, { body: { user_settings: { email_alert_on_new_conversation: true } } })
  await choose({ email_alert_on_new_message: true, email_alert_on_new_conversation: true, language: 'vi' })
  conversation_id = (await startConversation(server, world.carla, 'Is <b>it</b> open?')).conversation_id
})

test('a new conversation is mailed once, in the reader’s language, also to users who want every message', async ({
  as,
  world,
}) => {
  const letter = await mail.receive(world.ada.email, isAlert)
  expect(letter.subject).toBe('Carla (carla@customer.test) has started a conversation')
  expect(letter.text).toMatch(/^Carla has started a conversation:\n/)
  expect(letter.text).toContain('> Is <b>it</b> open?')
  expect(letter.html).toContain('Is &lt;b&gt;it&lt;/b&gt; open?')
  expect(letter.text).toContain(`View in dashboard: https://chat.acme.test/conversations/all/${conversation_id}`)
  const other = await mail.receive(world.ben.email, isAlert)
  expect(other.subject).toBe('Carla (carla@customer.test) đã bắt đầu một hội thoại')
  const kinds = await as.ada(mails.list)
  const toBen = kinds.data.filter(({ recipient }) => recipient === world.ben.email)
  expect(toBen.map(({ kind }) => kind).sort()).toEqual(['new_conversation', 'verification'])
})

test('users who want only every message are mailed the first one like any other; the page is named without its query', async ({
  world,
  server,
  choose,
}) => {
  await choose({ email_alert_on_new_conversation: false })
  const page = 'https://shop.acme.test/desks/?token=secret#oak'
  const nia = await startVisitor(server, world.acme.id, { name: 'Nia', current_url: page })
  await startConversation(server, nia, 'A desk, please.')
  const isHers = ({ subject = '' }) => /Nia/.test(subject)
  expect((await mail.receive(world.ben.email, isHers)).subject).toBe('Nia đã gửi tin nhắn cho bạn')
  const letter = await mail.receive(world.ada.email, isHers)
  expect(letter.subject).toBe('Nia has started a conversation')
  expect(letter.text).toMatch(/^Nia has started a conversation on shop\.acme\.test\/desks:\n/)
})

test('a further message is mailed only to users who want every message, once however often the job runs', async ({
  as,
  world,
  server,
}) => {
  const [ada, ben] = [count(world.ada.email), count(world.ben.email)]
  const id = await post(as.carla, { body: 'Hello?' })
  await mail.receive(world.ben.email, ({ text = '' }) => text.includes('Hello?'))
  await alertTeam.run(server.context, { account_id: world.acme.id, message_id: id })
  await alertTeam.run(server.context, { account_id: world.acme.id, message_id: id })
  await post(as.carla, { body: 'Last one.' })
  await mail.receive(world.ben.email, ({ text = '' }) => text.includes('Last one.'))
  expect([count(world.ada.email), count(world.ben.email)]).toEqual([ada, ben + 2])
})

test('a mail about a message erased meanwhile is not stored', async ({ as, world, server }) => {
  const { context } = server
  const is = (id: string) => context.change((tx) => enqueueAlert(tx, world.acme.id, id))
  expect(await is(await post(as.ada, { body: 'still here' }))).toBe(true)
  expect(await is(randomUUID())).toBe(false)
})

test('a mention is mailed, with the notes, unless the user has already seen it', async ({ as, world, server }) => {
  const id = await post(as.ben, { body: '@Ada please look', private: true, mentioned_user_ids: [world.ada.id] })
  await mailMention.run(server.context, { account_id: world.acme.id, message_id: id, user_id: world.ada.id })
  const letter = await mail.receive(
    world.ada.email,
    ({ subject }) => subject === 'You were mentioned in a message on Parley!',
  )
  expect(letter.text).toContain('@Ada please look')
  expect(letter.text).toContain(`/conversations/mentions/${conversation_id}`)
  const before = count(world.ada.email)
  const seen = await post(as.ben, { body: '@Ada again', private: true, mentioned_user_ids: [world.ada.id] })
  await server.context.db
    .updateTable('mentions')
    .set({ seen_at: new Date().toISOString() })
    .where('message_id', '=', seen)
    .execute()
  await mailMention.run(server.context, { account_id: world.acme.id, message_id: seen, user_id: world.ada.id })
  const { data } = await as.ada(mails.list)
  expect(data.filter(({ kind }) => kind === 'mention')).toHaveLength(1)
  expect(count(world.ada.email)).toBe(before)
})

test('a customer who left is mailed the newest reply with the earlier messages, threaded, without notes', async ({
  as,
  world,
  server,
}) => {
  const first = await post(as.ada, { body: 'Yes, until six.' })
  const second = await post(as.ada, { body: 'On Sundays until four.' })
  await mailReply.run(server.context, { account_id: world.acme.id, message_id: first })
  await mailReply.run(server.context, { account_id: world.acme.id, message_id: second })
  await mailReply.run(server.context, { account_id: world.acme.id, message_id: second })
  const letter = await mail.receive('carla@customer.test')
  expect(letter.subject).toBe('New message from Acme!')
  expect(letter.from).toMatchObject({ name: 'Acme Team' })
  expect(letter.replyTo).toMatchObject([{ address: world.ada.email }])
  expect(letter.text).toContain('> On Sundays until four.')
  expect(letter.text).toContain('> Yes, until six.')
  expect(letter.text).not.toContain('please look')
  const header = (name: string) => letter.headers.find(({ key }) => key === name)?.value
  expect(header('references')).toBe(`<conversation-${conversation_id}@chat.acme.test>`)
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(count('carla@customer.test')).toBe(1)
})

test('a reply is mailed after all if the later one that would have included it is deleted', async ({
  as,
  world,
  server,
  jobs,
}) => {
  const first = await post(as.ada, { body: 'On Mondays from nine.' })
  const second = await post(as.ada, { body: 'Wrong shop, sorry.' })
  await expect.poll(() => jobs([second])).toEqual([second])
  const before = (await jobs([first])).length
  await mailReply.run(server.context, { account_id: world.acme.id, message_id: first })
  await as.ada(messages.remove, { params: { id: second } })
  await expect.poll(async () => (await jobs([first])).length).toBe(before + 1)
  await mailReply.run(server.context, { account_id: world.acme.id, message_id: second })
  await mailReply.run(server.context, { account_id: world.acme.id, message_id: first })
  const letter = await mail.receive('carla@customer.test', ({ text = '' }) => text.includes('On Mondays'))
  expect(letter.text).not.toContain('Wrong shop')
})

test('a conversation started by the team sends no mail for its first message, but for later ones', async ({
  as,
  world,
  jobs,
}) => {
  const conversation = { customer_id: world.carla.customer_id, message: { id: randomUUID(), body: 'News of us' } }
  const started = await as.ada(conversations.create, { body: { conversation } })
  const later = await post(as.ada, { body: 'And more.', conversation_id: started.data.id })
  const both = [conversation.message.id, later]
  await expect.poll(() => jobs(both)).toContain(later)
  expect(await jobs(both)).toEqual([later])
})

test('no mail is sent to a customer who has seen the reply, has no address, or has unsubscribed', async ({
  as,
  world,
  server,
}) => {
  const kinds = async () => {
    const rows = await server.context.db.selectFrom('mails').select('id').where('kind', '=', 'reply').execute()
    return rows.length
  }
  const before = await kinds()
  const seen = await post(as.ada, { body: 'Seen.' })
  await server.context.db
    .updateTable('messages')
    .set({ seen_at: new Date().toISOString() })
    .where('id', '=', seen)
    .execute()
  await mailReply.run(server.context, { account_id: world.acme.id, message_id: seen })

  const stranger = await startVisitor(server, world.acme.id)
  const { conversation_id: other } = await startConversation(server, stranger, 'Hi')
  const nameless = await post(as.ada, { body: 'Hi!', conversation_id: other })
  await mailReply.run(server.context, { account_id: world.acme.id, message_id: nameless })

  const letter = await mail.receive('carla@customer.test')
  const link = letter.headers.find(({ key }) => key === 'list-unsubscribe')!.value
  const token = /unsubscribe\/([\w-]+)/.exec(link)![1]!
  await as.anybody(notifications.unsubscribe, { params: { token } })
  const unwanted = await post(as.ada, { body: 'One more thing.' })
  await mailReply.run(server.context, { account_id: world.acme.id, message_id: unwanted })
  expect(await kinds()).toBe(before)

  const forged = Buffer.from(Buffer.from(token, 'base64url').toString().replace(/.$/, '')).toString('base64url')
  await expect(as.anybody(notifications.unsubscribe, { params: { token: forged } })).rejects.toMatchObject({
    status: 404,
  })
})

test('if nobody wants every message, only the first one of a conversation is mailed', async ({
  as,
  world,
  server,
  choose,
}) => {
  await choose({ email_alert_on_new_message: false, email_alert_on_new_conversation: false })
  const ole = await startVisitor(server, world.acme.id, { name: 'Ole' })
  const { conversation_id: conversation_of_ole, message: first } = await startConversation(
    server,
    ole,
    'A shelf, please.',
  )
  const further = await post(as.holder(ole.token), { body: 'In oak.', conversation_id: conversation_of_ole })
  const last = await startConversation(server, ole, 'And a chair.')
  const ids = [first.id, further, last.message.id]
  const alerts = async () => {
    const { rows } = await sql<{ message_id: string }>`
      select data ->> 'message_id' as message_id from jobs.job
      where name = 'notifications.alertTeam' and data ->> 'message_id' = any(${ids})`.execute(server.context.db)
    return rows.map(({ message_id }) => message_id)
  }
  await expect.poll(alerts).toContain(last.message.id)
  expect(new Set(await alerts())).toEqual(new Set([first.id, last.message.id]))
})
