import { type ExpressionBuilder, sql } from 'kysely'
import { afterAll, beforeEach } from 'vitest'
import { audit } from '#contract/accounts/audit.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { team } from '#contract/accounts/team.ts'
import { userSettings } from '#contract/accounts/user-settings.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { type PushSubscription, push } from '#contract/conversations/push.ts'
import { mails } from '#contract/mail/mails.ts'
import { health } from '#contract/operations/health.ts'
import { type PushAnswer, startPushService } from '#tests/emulators/push-service.ts'
import { test as base, type Caller, expect, refusalOf, statusOf } from '#tests/support/fixture.ts'
import { PASSWORD, startConversation, startVisitor } from '#tests/support/world.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { alertTeam } from '../notifications/alert-team.ts'
import { TTL_SECONDS } from './deliver.ts'
import { loadPushKeys } from './keys.ts'
import { mailUnanswered } from './mail-unanswered.ts'
import { notifyUser } from './notify-user.ts'
import { tagOf } from './payload.ts'
import { sendPush } from './send-push.ts'

const service = await startPushService()
afterAll(() => service.close())

const BASE_URL = 'https://chat.acme.test'

const test = base
  .extend(
    'env',
    { scope: 'file' },
    {
      BASE_URL,
      PUSH_SERVICE_URL: service.url,
      PUSH_WAIT_SECONDS: '120',
      MAIL_FROM: 'Acme <support@acme.example>',
    },
  )
  /** Registers a browser for somebody. */
  .extend('register', () => async (who: Caller, subscription = service.subscribe()) => {
    const { data } = await who(push.registerDevice, { body: { device: { subscription, language: 'de-AT' } } })
    return { ...data, subscription }
  })
  /** A conversation of a new customer with one message. */
  .extend('begin', ({ server, world }) => async (body = 'Is it open?', name = 'Mia', inbox_id?: string) => {
    const visitor = await startVisitor(server, world.acme.id, { name })
    const { conversation_id, message } = await startConversation(server, visitor, body, inbox_id)
    const say = async (text: string) => {
      const { data } = await server
        .request('POST', '/api/messages', {
          token: visitor.token,
          body: { message: { conversation_id, body: text, id: crypto.randomUUID() } },
        })
        .then((answer) => answer.body)
      return data.id as string
    }
    return { conversation_id, message_id: message.id as string, say }
  })
  /** Who was mailed about a message of a customer. Jobs for other tests' messages may still be running. */
  .extend('mailedAbout', ({ as }) => async (name: string) => {
    const { data } = await as.ada(mails.list)
    return data
      .filter(({ kind, subject }) => kind === 'new_message' && subject.startsWith(`${name} `))
      .map(({ recipient }) => recipient)
  })
  /** Lets the waiting time pass, once so many alerts with so many messages of customers wait. */
  .extend('elapse', ({ server, world }) => async (alerts = 1, messages = alerts) => {
    const { db } = server.context
    const waiting = db.selectFrom('push_alerts').where('notification_id', 'is', null)
    const count = ({ fn }: ExpressionBuilder<Database, 'push_alerts'>) => [
      fn.countAll<number>().as('alerts'),
      fn.coalesce(fn.sum<number>('messages'), sql<number>`0`).as('messages'),
    ]
    await expect
      .poll(async () => Object.values(await waiting.select(count).executeTakeFirstOrThrow()).map(Number))
      .toEqual([alerts, messages])
    await db.updateTable('push_alerts').set({ due_at: sql<string>`clock_timestamp()` }).execute()
    for (const { id: user_id } of [world.ada, world.ben])
      await notifyUser.run(server.context, { account_id: world.acme.id, user_id })
  })
  /** Nobody has devices or settings from an earlier test. */
  .extend('clean', { auto: true }, async ({ server, world }) => {
    service.answer(() => undefined)
    const ids = [world.ada, world.ben, world.olga].map(({ id }) => id)
    for (const table of ['push_devices', 'push_settings', 'push_alerts'] as const)
      await server.context.db.deleteFrom(table).where('user_id', 'in', ids).execute()
  })

const received = (subscription: PushSubscription) =>
  service.pushesTo(subscription).map(({ payload }) => payload.notification)

beforeEach(() => expect(service.mistakes).toEqual([]))

test('a message of a customer rings on the device, encrypted for it and signed for its push service', async ({
  as,
  server,
  register,
  begin,
}) => {
  const { subscription } = await register(as.ada)
  server.context.config.pushWaitSeconds = 1
  const { conversation_id } = await begin('Is it open?')
  await expect.poll(() => service.pushesTo(subscription), { timeout: 10_000 }).toHaveLength(1)
  server.context.config.pushWaitSeconds = 120
  const [{ payload, headers, claims }] = service.pushesTo(subscription) as [(typeof service.pushes)[number]]
  expect(payload).toEqual({
    web_push: 8030,
    notification: {
      title: 'Mia',
      body: 'Is it open?',
      navigate: `${BASE_URL}/conversations/all/${conversation_id}`,
      lang: 'de',
      dir: 'ltr',
      tag: tagOf(conversation_id),
      data: { id: expect.any(String), conversation_id, waiting: [tagOf(conversation_id)] },
    },
    app_badge: expect.any(Number),
  })
  expect(payload.app_badge).toBeGreaterThan(0)
  expect(headers).toMatchObject({ ttl: String(TTL_SECONDS), urgency: 'high', topic: tagOf(conversation_id) })
  expect(claims).toMatchObject({ aud: 'https://push.example.com', sub: 'mailto:support@acme.example' })
  const { publicKey } = await loadPushKeys(server.context)
  expect(headers.authorization).toContain(`k=${publicKey}`)
  const { data } = await as.ada(push.listDevices)
  expect(data).toMatchObject([{ push_service: 'push.example.com', problem: null, is_current: true }])
  await expect.poll(async () => (await as.ada(push.listDevices)).data[0]!.last_success_at).not.toBeNull()
})

test('several messages of a conversation within the waiting time are one notification', async ({
  as,
  register,
  begin,
  elapse,
}) => {
  const { subscription } = await register(as.ada)
  const { say } = await begin('One')
  await say('Two')
  await say('Three')
  await elapse(1, 3)
  await expect.poll(() => received(subscription)).toHaveLength(1)
  expect(received(subscription)).toMatchObject([{ title: 'Mia (3)', body: 'Three' }])
})

test('what was read while it waited rings nowhere, and a later notification names what still waits', async ({
  as,
  register,
  begin,
  elapse,
}) => {
  const { subscription } = await register(as.ada)
  const read = await begin('Read at once')
  await as.ada(conversations.update, { params: { id: read.conversation_id }, body: { conversation: { read: true } } })
  const other = await begin('Unread', 'Ole')
  await elapse(2)
  await expect.poll(() => received(subscription)).toHaveLength(1)
  expect(received(subscription)[0]).toMatchObject({ title: 'Ole', data: { waiting: [tagOf(other.conversation_id)] } })
})

test('many conversations at once are one notification', async ({ as, register, begin, elapse }) => {
  const { subscription } = await register(as.ada)
  const begun = await Promise.all(Array.from({ length: 5 }, (_, index) => begin('Hello', `Customer ${index}`)))
  await begun[0]!.say('Again')
  await elapse(5, 6)
  await expect.poll(() => received(subscription)).toHaveLength(1)
  expect(received(subscription)).toMatchObject([
    { title: '6 neue Nachrichten', body: 'In 5 Konversationen', tag: 'many', data: { conversation_id: null } },
  ])
})

test('each person is notified of what they chose: their own, unassigned, mentions, or all', async ({
  as,
  world,
  register,
  begin,
  elapse,
}) => {
  const ada = await register(as.ada)
  const ben = await register(as.ben)
  await as.ben(push.updateSettings, { body: { push_settings: { about: ['mine', 'mentions'] } } })
  const { conversation_id, say } = await begin('For whom?')
  await elapse()
  await expect.poll(() => received(ada.subscription)).toHaveLength(1)
  await as.ada(conversations.update, {
    params: { id: conversation_id },
    body: { conversation: { assignee_id: world.ben.id, read: true } },
  })
  await elapse(1, 0)
  await expect.poll(() => received(ben.subscription)).toMatchObject([{ title: 'Ihnen zugewiesen: Mia', body: '' }])
  await say('And now?')
  await elapse()
  await expect.poll(() => received(ben.subscription)).toHaveLength(2)
  expect(received(ben.subscription)[1]).toMatchObject({ title: 'Mia', body: 'And now?' })
  await as.ada(messages.create, {
    body: {
      message: { conversation_id, body: 'Please @look', private: true, mentioned_user_ids: [world.ben.id] },
    },
  })
  await elapse(1, 0)
  await expect.poll(() => received(ben.subscription)).toHaveLength(3)
  expect(received(ben.subscription)[2]!.title).toMatch(/hat Sie erwähnt$/)
  expect(received(ada.subscription)).toHaveLength(1)
})

test('muted inboxes do not ring', async ({ as, world, register, begin, elapse }) => {
  const { subscription } = await register(as.ada)
  await as.ada(push.updateSettings, { body: { push_settings: { muted_inbox_ids: [world.billing.id] } } })
  await begin('Invoice?', 'Mia', world.billing.id)
  await begin('Open?', 'Ole', world.website.id)
  await elapse()
  await expect.poll(() => received(subscription)).toMatchObject([{ title: 'Ole' }])
})

test('lock screens show no names and texts if the person wants it so', async ({ as, register, begin, elapse }) => {
  const { subscription } = await register(as.ada)
  await as.ada(push.updateSettings, { body: { push_settings: { shows_text: false } } })
  await begin('My card number is …')
  await elapse()
  await expect.poll(() => received(subscription)).toMatchObject([{ title: 'Neue Nachricht', body: '' }])
})

test('nothing rings in quiet hours, and what waits then comes at their end', async ({
  as,
  server,
  register,
  begin,
  elapse,
}) => {
  const { subscription } = await register(as.ada)
  const now = new Date()
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString().slice(11, 16)
  const quiet = { quiet_from: at(-1), quiet_until: at(1), time_zone: 'UTC' }
  await as.ada(push.updateSettings, { body: { push_settings: quiet } })
  await begin('At night')
  await elapse()
  const alerts = () => server.context.db.selectFrom('push_alerts').select(['due_at', 'notification_id']).execute()
  await expect
    .poll(async () => (await alerts()).map(({ due_at }) => Date.parse(due_at) - now.getTime() > 1_800_000))
    .toEqual([true])
  expect((await alerts())[0]).toMatchObject({ notification_id: null })
  expect(received(subscription)).toEqual([])
})

const ANSWERS: Record<string, { answers: PushAnswer[]; problem?: RegExp; devices?: number; pushes?: number }> = {
  '201 is a success': { answers: [], pushes: 1 },
  '404 removes the device': { answers: [{ status: 404 }], devices: 0 },
  '410 removes the device': { answers: [{ status: 410 }], devices: 0 },
  '400 is a problem with the keys': { answers: [{ status: 400 }], problem: /answered 400.*keys or the sender/ },
  '401 is a problem with the keys': { answers: [{ status: 401 }], problem: /answered 401.*keys or the sender/ },
  '403 names its reason': {
    answers: [{ status: 403, body: '{"reason":"BadJwtToken"}' }],
    problem: /answered 403 \(.*\).*Check MAIL_FROM/,
  },
  '413 is sent again without its text': { answers: [{ status: 413 }], pushes: 1 },
  '429 is tried again after the time it names': {
    answers: [{ status: 429, headers: { 'retry-after': '1' } }],
    pushes: 1,
  },
  '503 is tried again': { answers: [{ status: 503 }], pushes: 1 },
  'a lost answer is sent again with the same id': { answers: [{ status: 201, isLost: true }], pushes: 2 },
}

const ofAnswer = test.for(Object.entries(ANSWERS))
ofAnswer('each answer has its consequence: %s', async ([, expected], { as, register, begin, elapse }) => {
  const { subscription } = await register(as.ada)
  const answers = [...expected.answers]
  service.answer(() => answers.shift())
  await begin('Hello')
  await elapse()
  const device = async () => (await as.ada(push.listDevices)).data
  await expect.poll(async () => (await device()).length).toBe(expected.devices ?? 1)
  if (expected.problem) {
    await expect.poll(async () => (await device())[0]!.problem).toMatch(expected.problem)
    const { data } = await as.ada(health.report)
    expect(data.push.problems).toMatchObject([{ problem: expect.stringMatching(expected.problem), devices: 1 }])
  }
  await expect.poll(() => received(subscription).length, { timeout: 10_000 }).toBe(expected.pushes ?? 0)
  expect(new Set(received(subscription).map(({ data }) => data.id)).size).toBe(expected.pushes ? 1 : 0)
})

test('an address in a private network is not called', async ({ as, server, register, begin, elapse, env }) => {
  const { config } = server.context
  config.pushServiceUrl = ''
  const { endpoint: _, keys } = service.subscribe()
  await register(as.ada, { endpoint: `https://127.0.0.1:${new URL(service.url).port}/send/x`, keys })
  await begin('Hello')
  await elapse()
  await expect.poll(async () => (await as.ada(push.listDevices)).data[0]!.problem).toContain('private address')
  config.pushServiceUrl = env.PUSH_SERVICE_URL!
})

test('keys that are no keys are a problem of the device, not of the server', async ({ as, register }) => {
  const { endpoint } = service.subscribe()
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
  const { id } = await register(as.ada, { endpoint, keys })
  expect((await as.ada(push.testDevice, { params: { id } })).data.problem).toContain('are not valid')
})

test('the test button sends a notification and says why it failed', async ({ as, register }) => {
  const device = await register(as.ada)
  const press = () => as.ada(push.testDevice, { params: { id: device.id } })
  expect((await press()).data.problem).toBeNull()
  expect(received(device.subscription)).toMatchObject([{ title: 'Benachrichtigungen funktionieren', tag: 'test' }])
  service.answer(() => ({ status: 403 }))
  expect((await press()).data.problem).toContain('push.example.com answered 403')
  expect(await statusOf(as.ben(push.testDevice, { params: { id: device.id } }))).toBe(404)
  service.answer(() => ({ status: 410 }))
  expect((await press()).data.problem).toContain('Turn notifications on again')
  expect((await as.ada(push.listDevices)).data).toEqual([])
})

test('each person sees and removes only their own devices; an admin removes those of a colleague', async ({
  as,
  world,
  register,
}) => {
  const device = await register(as.ben)
  expect((await as.ada(push.listDevices)).data).toEqual([])
  for (const other of [as.ada, as.olga])
    expect(await statusOf(other(push.removeDevice, { params: { id: device.id } }))).toBe(404)
  const ofBen = { params: { id: world.ben.id } }
  expect(await statusOf(as.ben(push.removeDevicesOfUser, ofBen))).toBe(401)
  expect(await statusOf(as.olga(push.removeDevicesOfUser, ofBen))).toBe(404)
  await as.ada(push.removeDevicesOfUser, ofBen)
  expect((await as.ben(push.listDevices)).data).toEqual([])
  const { data } = await as.ada(audit.list, { query: { action: 'user.push_devices_removed' } })
  expect(data).toMatchObject([{ subject_id: String(world.ben.id), details: { count: 1 } }])
})

test('a browser that somebody else registers is no longer notified about the first one’s conversations', async ({
  as,
  register,
}) => {
  const device = await register(as.ada)
  await register(as.ada, device.subscription)
  expect((await as.ada(push.listDevices)).data).toHaveLength(1)
  await register(as.olga, device.subscription)
  expect((await as.ada(push.listDevices)).data).toEqual([])
  expect((await as.olga(push.listDevices)).data).toHaveLength(1)
})

test('a push service may give a browser another address; who knows the old one replaces it', async ({
  as,
  register,
}) => {
  const { id, subscription } = await register(as.ada)
  const next = service.subscribe()
  const renew = (old_endpoint: string) => as.anybody(push.renewDevice, { body: { old_endpoint, subscription: next } })
  expect(await statusOf(renew('https://push.example.com/send/guessed'))).toBe(404)
  await renew(subscription.endpoint)
  await as.ada(push.testDevice, { params: { id } })
  expect(received(next)).toHaveLength(1)
  expect(received(subscription)).toEqual([])
})

test('without an address that push services can write to, nothing is sent, and the reason is a sentence', async ({
  as,
  server,
  register,
  env,
}) => {
  const { config } = server.context
  const device = await register(as.ada)
  for (const mailFrom of ['Parley <parley@localhost>', 'a@server.local', 'Acme <a@b>']) {
    config.mailFrom = mailFrom
    expect((await as.ada(push.status)).data.problem).toContain('Set MAIL_FROM')
    expect((await as.ada(health.report)).data.push.sender_problem).toContain('Set MAIL_FROM')
    expect((await as.ada(push.testDevice, { params: { id: device.id } })).data.problem).toContain('Set MAIL_FROM')
  }
  config.mailFrom = env.MAIL_FROM!
  expect((await as.ada(push.status)).data.problem).toBeNull()
  expect(received(device.subscription)).toEqual([])
})

test('settings that make no sense are refused', async ({ as, world }) => {
  const save = (push_settings: object) => as.ada(push.updateSettings, { body: { push_settings } })
  for (const [field, settings] of Object.entries({
    quiet_until: { quiet_from: '22:00' },
    muted_inbox_ids: { muted_inbox_ids: [world.other.id] },
    time_zone: { time_zone: 'Mars/Olympus' },
    mail_after_minutes: { mail_after_minutes: 0 },
  })) {
    const { status, errors } = await refusalOf(save(settings))
    expect([status, JSON.stringify(errors)]).toEqual([422, expect.stringContaining(field)])
  }
  expect((await as.ada(push.getSettings)).data).toMatchObject({ about: ['mine', 'unassigned', 'mentions'] })
})

test('a job that runs twice sends the same id, so the device shows it once', async ({
  as,
  world,
  server,
  register,
  begin,
  elapse,
}) => {
  const { id: device_id, subscription } = await register(as.ada)
  await begin('Twice?')
  await elapse()
  await expect.poll(() => received(subscription)).toHaveLength(1)
  const notification_id = received(subscription)[0]!.data.id
  const again = { account_id: world.acme.id, user_id: world.ada.id, device_id, notification_id, tries: 0 }
  await sendPush.run(server.context, again)
  expect(received(subscription).map(({ data }) => data.id)).toEqual([notification_id, notification_id])
})

test('who wants a mail only if nobody reacts gets it after so many minutes, not at once', async ({
  as,
  server,
  world,
  register,
  begin,
  elapse,
  mailedAbout,
}) => {
  const { db } = server.context
  await as.ada(userSettings.update, { body: { user_settings: { email_alert_on_new_message: true } } })
  await as.ada(push.updateSettings, { body: { push_settings: { mail_after_minutes: 15 } } })
  await register(as.ada)
  const { message_id } = await begin('By mail?', 'Lena')
  const answered = await begin('Answered', 'Lars')
  await elapse(2)
  const mailed = async () => [...(await mailedAbout('Lena')), ...(await mailedAbout('Lars'))]
  const planned = async () => {
    const { rows } = await sql<{ data: { account_id: string; user_id: number; alert_id: string }; minutes: number }>`
      select data, round(extract(epoch from start_after - created_on) / 60)::integer as minutes from jobs.job
      where name = 'push.mailUnanswered' and data ->> 'account_id' = ${world.acme.id}`.execute(db)
    return rows
  }
  expect((await planned()).map(({ minutes }) => minutes)).toEqual([15, 15])
  await as.ada(conversations.update, {
    params: { id: answered.conversation_id },
    body: { conversation: { read: true } },
  })
  await alertTeam.run(server.context, { account_id: world.acme.id, message_id })
  expect(await mailed()).toEqual([])
  for (const { data } of await planned()) await mailUnanswered.run(server.context, data)
  for (const { data } of await planned()) await mailUnanswered.run(server.context, data)
  expect(await mailed()).toEqual([world.ada.email])
  await as.ada(userSettings.update, { body: { user_settings: { email_alert_on_new_message: false } } })
})

test('who has no device is mailed at once, as before', async ({ as, server, world, begin, mailedAbout }) => {
  await as.ben(userSettings.update, { body: { user_settings: { email_alert_on_new_message: true } } })
  await as.ben(push.updateSettings, { body: { push_settings: { mail_after_minutes: 15 } } })
  const { message_id } = await begin('At once?', 'Otto')
  await alertTeam.run(server.context, { account_id: world.acme.id, message_id })
  expect(await mailedAbout('Otto')).toEqual([world.ben.email])
  await as.ben(userSettings.update, { body: { user_settings: { email_alert_on_new_message: false } } })
})

test('who has a device is mailed at once about conversations of which it says nothing', async ({
  as,
  server,
  world,
  register,
  begin,
  mailedAbout,
}) => {
  const own = await begin('Mine', 'Ines')
  await as.ada(conversations.update, {
    params: { id: own.conversation_id },
    body: { conversation: { assignee_id: world.ada.id } },
  })
  await as.ada(push.updateSettings, { body: { push_settings: { mail_after_minutes: 15, about: ['mine'] } } })
  await register(as.ada)
  await as.ada(userSettings.update, { body: { user_settings: { email_alert_on_new_message: true } } })
  const alertAbout = async (name: string, { message_id }: { message_id: string }) => {
    await alertTeam.run(server.context, { account_id: world.acme.id, message_id })
    return mailedAbout(name)
  }
  expect(await alertAbout('Ines', own)).toEqual([])
  expect(await alertAbout('Nico', await begin('Nobody’s', 'Nico'))).toEqual([world.ada.email])
  await as.ada(userSettings.update, { body: { user_settings: { email_alert_on_new_message: false } } })
})

test('devices go when their session ends, and when the user is disabled', async ({ as, world, server, register }) => {
  const signIn = async () => {
    const { data } = await as.anybody(authSessions.signIn, {
      body: { user: { email: world.ben.email, password: PASSWORD } },
    })
    return as.holder((data as { token: string }).token)
  }
  const phone = await signIn()
  await register(phone)
  await register(as.ben)
  expect((await as.ben(push.listDevices)).data.map(({ is_current }) => is_current)).toEqual([true, false])
  await phone(authSessions.signOut)
  expect((await as.ben(push.listDevices)).data).toHaveLength(1)
  await register(await signIn())
  await as.ada(team.disable, { params: { id: world.ben.id } })
  const remaining = server.context.db.selectFrom('push_devices').select('id').where('user_id', '=', world.ben.id)
  expect(await remaining.execute()).toEqual([])
  await as.ada(team.enable, { params: { id: world.ben.id } })
})
