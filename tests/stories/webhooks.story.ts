import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { startReceiver, type WebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

const PATH = '/developers/event-subscriptions'
const LOG = /\/deliveries(\?|$)/

let scene: Scene
let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startReceiver()
  scene = await setScene({}, { REACHABLE_HOSTS: '127.0.0.1' })
})
afterAll(async () => {
  await scene.close()
  await receiver.close()
})

const openAt = async (path: string, options: Parameters<typeof openSignedIn>[2] = {}) =>
  openSignedIn(scene, path, { permissions: ['clipboard-read', 'clipboard-write'], ...options })
const sendMessage = async (body: string) => {
  const conversation = { source: 'chat', customer_id: undefined as string | undefined, message: { body } }
  const customer = await call(scene.url, 'POST', '/api/customers', { customer: { name: 'Carla' } }, scene.token)
  conversation.customer_id = customer.data.id
  await call(scene.url, 'POST', '/api/conversations', { conversation }, scene.token)
}

test('a URL is verified when the field is left, and then listed in the table', async () => {
  const { page, faults } = await openAt(PATH)
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Add webhook URL' }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: 'Webhook URL' })
  await field.fill(`${receiver.url}/nobody`)
  await field.press('Tab')
  await expect(dialog.getByText('This URL did not answer with the challenge')).toBeVisible()
  await expectNoFindings(page)
  const held = Promise.withResolvers<void>()
  await page.route('**/verify', (route) => held.promise.then(() => route.continue()))
  await field.fill(`${receiver.url}/hook`)
  await field.press('Tab')
  await expect(dialog.getByText('Verifying...')).toBeVisible()
  held.resolve()
  await expect(dialog.getByText('Verified!')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row').filter({ hasText: receiver.url })
  await expect(row).toContainText('Verified')
  await expect(row).toContainText(/\w+ \d+, 20\d\d/)
  await row.getByRole('button', { name: 'Update' }).click()
  await page.getByRole('dialog').getByLabel('conversation:updated').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const { data } = await call(scene.url, 'GET', '/api/event_subscriptions', undefined, scene.token)
  expect(data[0]).toMatchObject({
    verified: true,
    events: ['message:created', 'conversation:created', 'conversation:updated'],
  })
  expect(faults).toEqual([])
})

test('a URL that did not answer the challenge has no switch, and is verified again; on a low screen the buttons are in view', async () => {
  const { page } = await openAt(PATH, { viewport: { width: 1440, height: 700 } })
  await page.getByRole('button', { name: 'Add webhook URL' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeInViewport()
  const field = dialog.getByRole('textbox', { name: 'Webhook URL' })
  await field.fill(`${receiver.url}/nobody`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: `${receiver.url}/nobody` }).click()
  await expect(page.getByText('No events are sent to this URL until it has answered the challenge.')).toBeVisible()
  await expect(page.getByRole('switch')).toHaveCount(0)
  await page.getByRole('button', { name: 'Verify again' }).click()
  await expect(page.getByText('This URL did not answer with the challenge')).toBeInViewport()
  await page.route('**/verify', (route) => route.fulfill({ json: { data: { verified: true } } }))
  await page.getByRole('button', { name: 'Verify again' }).click()
  await expect(page.getByText('This URL did not answer with the challenge')).toBeHidden()
  const { data } = await call(scene.url, 'GET', '/api/event_subscriptions', undefined, scene.token)
  const later = data.find((subscription: { webhook_url: string }) => subscription.webhook_url.endsWith('/nobody'))
  await call(scene.url, 'DELETE', `/api/event_subscriptions/${later.id}`, undefined, scene.token)
})

test('the log shows each attempt, and a failed delivery can be sent again', async () => {
  receiver.answer((_, response) => void response.writeHead(500).end('no room'))
  await sendMessage('First words')
  const { page, faults } = await openAt(PATH)
  await page.getByRole('link', { name: receiver.url }).click()
  await expect(page.getByText('Failing', { exact: true })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'message:created' })
  await expect(row).toContainText('Waiting')
  await expect(page.getByText('Failing since')).toBeVisible()
  await expectNoFindings(page)
  // On a slow machine it is tried again meanwhile.
  await page
    .getByRole('row')
    .filter({ hasText: /500, \d+ tr(y|ies)/ })
    .first()
    .getByRole('button', { name: /^Details/ })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('no room')
  await expect(dialog.getByRole('region', { name: 'Sent' })).toContainText('"event": ')
  await expectNoFindings(page)
  receiver.answer((_, response) => void response.end('thanks'))
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('It is being sent again.')).toBeVisible()
  await expect(dialog).toContainText('thanks')
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(row).toContainText('Delivered')
  await expectNoFindings(page)
  await page.getByLabel('Event', { exact: true }).selectOption('conversation:updated')
  await expect(page.getByRole('row').filter({ hasText: 'message:created' })).toHaveCount(0)
  await page.getByLabel('Event', { exact: true }).selectOption('All')
  const before = receiver.received.length
  await page.getByRole('button', { name: 'Send everything since …' }).click()
  await expectNoFindings(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText(/deliver(y is|ies are) being sent again/)).toBeVisible()
  await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBeGreaterThan(before + 1)
  expect(faults).toEqual([])
})

test('the secret can be shown and renewed, and the webhook switched off and on', async () => {
  const { page, faults } = await openAt(PATH)
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('button', { name: 'Reveal' }).click()
  const field = page.getByRole('textbox', { name: 'Signing secret' })
  await expect(field).toHaveValue(/^whsec_/)
  const old = await field.inputValue()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(old)
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(field).not.toHaveValue(old)
  const enabled = page.getByRole('switch', { name: 'Send events to this webhook' })
  await enabled.click()
  await expect(page.getByText('Switched off since')).toBeVisible()
  await enabled.click()
  await expect(page.getByText('Switched off since')).toBeHidden()
  expect(faults).toEqual([])
})

test('errors of loading are shown, and a deleted webhook, too', async () => {
  const { page } = await openAt('/tags')
  await page.route('**/api/event_subscriptions', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto(scene.url + PATH)
  await expect(page.getByRole('heading', { name: 'The webhooks could not be loaded' })).toBeVisible()
  await expectNoFindings(page)
  await page.goto(`${scene.url}${PATH}/00000000-0000-4000-8000-000000000000`)
  await expect(page.getByRole('heading', { name: 'Error retrieving webhook' })).toBeVisible()
  await page.unroute('**/api/event_subscriptions')
  await page.getByRole('link', { name: 'Back to all webhooks' }).click()
  await expect(page.getByRole('link', { name: receiver.url })).toBeVisible()
})

test('placeholders are shown while webhooks and deliveries are loading, and a retry succeeds after an error', async () => {
  const event_subscription = { webhook_url: `${receiver.url}/quiet` }
  const { data } = await call(scene.url, 'POST', '/api/event_subscriptions', { event_subscription }, scene.token)
  const { page, faults } = await openAt('/tags')
  const loading = page.getByRole('status', { name: 'Loading' })
  const holdRequests = async (address: string | RegExp) => {
    const held = Promise.withResolvers<void>()
    await page.route(address, (route) => held.promise.then(() => route.continue()))
    return async () => {
      await expect(loading).toBeVisible()
      await expectNoFindings(page)
      held.resolve()
      await expect(loading).toBeHidden()
      await page.unroute(address)
    }
  }
  const showList = await holdRequests('**/api/event_subscriptions')
  await page.goto(scene.url + PATH)
  await showList()
  await expect(page.getByRole('link', { name: data.webhook_url })).toBeVisible()
  const showOne = await holdRequests(`**/api/event_subscriptions/${data.id}`)
  await page.getByRole('link', { name: data.webhook_url }).click()
  await showOne()
  await expect(page.getByText('Nothing sent yet')).toBeVisible()
  await expectNoFindings(page)
  const showLog = await holdRequests(LOG)
  await page.reload()
  await showLog()
  await expect(page.getByText('Nothing sent yet')).toBeVisible()
  expect(faults).toEqual([])
  await page.route(LOG, (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'The deliveries could not be loaded' })).toBeVisible()
  await expectNoFindings(page)
  await page.unroute(LOG)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Nothing sent yet')).toBeVisible()
  const address = `${scene.url}/api/event_subscriptions/${data.id}`
  expect((await fetch(address, { method: 'DELETE', headers: { authorization: scene.token } })).status).toBe(204)
})

test.each([
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const)('the pages of webhooks are accessible: %s', async (name, options) => {
  const { page, faults } = await openAt(PATH, options)
  await expect(page.getByRole('link', { name: receiver.url })).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('link', { name: receiver.url }).click()
  await expect(page.getByRole('row').filter({ hasText: 'message:created' }).first()).toBeVisible()
  await expectNoFindings(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/webhook ${name}.png`, fullPage: true })
  expect(faults).toEqual([])
})

test('a webhook is removed after confirmation', async () => {
  const { page } = await openAt(PATH)
  const row = page.getByRole('row').filter({ hasText: receiver.url })
  await row.getByRole('button', { name: 'Remove' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('with its log?')
  await question.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible()
})
