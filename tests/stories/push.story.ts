import { randomBytes, randomUUID } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import type { PushSubscription } from '#contract/conversations/push.ts'
import { type Push, startPushService } from '#tests/emulators/push-service.ts'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

const service = await startPushService()
let scene: Scene

beforeAll(async () => {
  const env = { PUSH_SERVICE_URL: service.url, PUSH_WAIT_SECONDS: '0', MAIL_FROM: 'Acme <support@acme.example>' }
  // Only the full browser has notifications.
  scene = await setScene({}, env, { isWhole: true })
})
afterAll(async () => {
  await scene.close()
  await service.close()
})

/** Ada's profile, in a browser that is subscribed at our push service: a headless one cannot subscribe at its own. */
async function openProfile() {
  const subscription = service.subscribe()
  const { page, faults } = await openSignedIn(scene, '/settings/profile', { permissions: ['notifications'] })
  await page.addInitScript(subscribeHere, subscription)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'On your phone and other devices' })).toBeVisible()
  return { page, faults, subscription }
}

/** Runs in the page. */
function subscribeHere(subscription: PushSubscription) {
  const made = {
    endpoint: subscription.endpoint,
    options: {},
    toJSON: () => subscription,
    unsubscribe: async () => {
      localStorage.removeItem('subscribed')
      return true
    },
  }
  Object.assign(PushManager.prototype, {
    getSubscription: async () => (localStorage.getItem('subscribed') ? made : null),
    async subscribe() {
      localStorage.setItem('subscribed', 'yes')
      return made
    },
  })
}

/** Hands a push to the service worker, as the browser does with one that arrives. */
async function deliverPush(context: BrowserContext, page: Page, { payload }: Push) {
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on(
      'ServiceWorker.workerRegistrationUpdated',
      ({ registrations: [registration] }) => registration && resolve(registration.registrationId),
    )
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: scene.url,
    registrationId,
    data: JSON.stringify(payload),
  })
  await session.detach()
}

function shownOn(page: Page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title, body, icon }) => ({ title, body, icon }))
  })
}

async function write(name: string, body: string) {
  const token = randomBytes(32).toString('base64url')
  const { account_id, url } = scene
  const visitor_session = { account_id, token, customer_id: randomUUID(), customer: { name } }
  await call(url, 'POST', '/api/visitor_sessions', { visitor_session })
  const { data } = await call(url, 'POST', '/api/conversations', { conversation: {} }, token)
  await call(url, 'POST', '/api/messages', { message: { id: randomUUID(), conversation_id: data.id, body } }, token)
  return data.id as string
}

/** The push about a conversation, once it has left the server. */
async function pushAbout(subscription: PushSubscription, conversation_id: string): Promise<Push> {
  const find = () =>
    service.pushesTo(subscription).find(({ payload }) => payload.notification.data.conversation_id === conversation_id)
  await expect.poll(find).toBeTruthy()
  return find()!
}

test('one press turns notifications on, a message shows once, opens its conversation, and is gone once it was read', async () => {
  const { page, faults, subscription } = await openProfile()
  const context = page.context()
  await page.getByRole('button', { name: 'Notify me on this device' }).click()
  const device = page.getByRole('list', { name: 'Devices' }).getByRole('listitem')
  await expect(device).toContainText('This device')
  await device.getByRole('button', { name: /^Test/ }).click()
  await expect(page.getByText('A notification is on its way')).toBeVisible()
  expect(service.pushesTo(subscription)).toHaveLength(1)

  const first = await write('Mia', 'Is it open?')
  const push = await pushAbout(subscription, first)
  await deliverPush(context, page, push)
  await expect
    .poll(() => shownOn(page))
    .toEqual([{ title: 'Mia', body: 'Is it open?', icon: `${scene.url}/icon-192.png` }])
  await deliverPush(context, page, push)
  const second = await write('Ole', 'And tomorrow?')
  await deliverPush(context, page, await pushAbout(subscription, second))
  await expect.poll(async () => (await shownOn(page)).map(({ title }) => title).sort()).toEqual(['Mia', 'Ole'])

  const [worker] = context.serviceWorkers()
  await worker!.evaluate(async () => {
    const scope = self as unknown as ServiceWorkerRegistration & { registration: ServiceWorkerRegistration } & Window
    const [notification] = (await scope.registration.getNotifications()).filter(({ title }) => title === 'Ole')
    const Press = Reflect.get(self, 'NotificationEvent') as new (type: string, init: object) => Event
    scope.dispatchEvent(new Press('notificationclick', { notification }))
  })
  await expect(page).toHaveURL(`${scene.url}/conversations/all/${second}`)

  const read = { conversation: { read: true } }
  await call(scene.url, 'PUT', `/api/conversations/${first}`, read, scene.token)
  await expect.poll(() => shownOn(page), { timeout: 3_000 }).toEqual([])
  expect(faults).toEqual([])
})

test('a push closes the notifications of conversations that were read while no page was open', async () => {
  const { page, subscription } = await openProfile()
  await page.getByRole('button', { name: 'Notify me on this device' }).click()
  await expect(page.getByRole('list', { name: 'Devices' })).toContainText('This device')
  // Another page of the same address, which knows nothing of conversations.
  await page.goto(`${scene.url}/old-browser.js`)
  const first = await write('Kim', 'Hello?')
  const early = await pushAbout(subscription, first)
  await call(scene.url, 'PUT', `/api/conversations/${first}`, { conversation: { read: true } }, scene.token)
  const second = await write('Noa', 'Hi')
  const late = await pushAbout(subscription, second)
  await deliverPush(page.context(), page, early)
  await expect.poll(async () => (await shownOn(page)).map(({ title }) => title)).toEqual(['Kim'])
  await deliverPush(page.context(), page, late)
  await expect.poll(async () => (await shownOn(page)).map(({ title }) => title)).toEqual(['Noa'])
})

test('the settings are saved at once, and a removed device is no longer notified', async () => {
  const { page, faults } = await openProfile()
  await page.getByRole('button', { name: 'Notify me on this device' }).click()
  await page.getByRole('group', { name: 'Notify my devices about' }).getByLabel('Unassigned conversations').uncheck()
  await page.getByLabel('Show names and texts').uncheck()
  await page.getByLabel('Quiet hours').check()
  await page.getByLabel('From', { exact: true }).selectOption({ index: 0 })
  await page.getByLabel('Email me if nobody has read a message').selectOption('15')
  const saved = async () => (await call(scene.url, 'GET', '/api/push_settings', undefined, scene.token)).data
  await expect.poll(saved).toMatchObject({
    about: ['mine', 'mentions'],
    shows_text: false,
    quiet_from: '00:00',
    quiet_until: '07:00',
    mail_after_minutes: 15,
  })
  await expectNoFindings(page, 'main')
  const devices = page.getByRole('list', { name: 'Devices' })
  const own = devices.getByRole('listitem').filter({ hasText: 'This device' })
  await own.getByRole('button', { name: /^Remove/ }).click()
  await expect(page.getByRole('button', { name: 'Notify me on this device' })).toBeVisible()
  expect(faults).toEqual([])
})
