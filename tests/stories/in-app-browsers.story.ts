import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { ADA, call, findConversation, openChat, reply, type Scene, setScene } from './scene.ts'
import { SMALL_PHONE } from './thumb.ts'

/** Links in Instagram, Facebook and the like open in a browser of the app, which lacks much and keeps nothing. */
const INSTAGRAM =
  'Mozilla/5.0 (Linux; Android 14; Pixel 7; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36 Instagram 340.0.0.22.109 Android'

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

/** How such browsers lack storage: it is missing, or every use of it throws. */
const STORAGE = ['missing', 'forbidden'] as const

function removeFromPage(storage: (typeof STORAGE)[number]) {
  for (const name of ['Notification', 'PushManager', 'ServiceWorker', 'ServiceWorkerContainer', 'BroadcastChannel']) {
    Reflect.deleteProperty(window, name)
  }
  for (const name of ['serviceWorker', 'locks', 'clipboard', 'share', 'mediaDevices', 'permissions', 'vibrate']) {
    Reflect.deleteProperty(Navigator.prototype, name)
  }
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
    Object.defineProperty(window, name, {
      get() {
        if (storage === 'forbidden') throw new DOMException('The operation is insecure.', 'SecurityError')
        return name.endsWith('Storage') ? null : undefined
      },
    })
  }
}

async function open(url: string, storage: (typeof STORAGE)[number]) {
  const watched = await openPage(scene.browser, { ...SMALL_PHONE, userAgent: INSTAGRAM })
  await watched.page.addInitScript(removeFromPage, storage)
  await watched.page.goto(url)
  return watched
}

test.for(STORAGE)('in the browser of an app, with storage %s, the chat works', async (storage) => {
  const { page, faults } = await open(scene.shop, storage)
  const { log, sendMessage } = await openChat(page)
  const question = `Do you deliver, with storage ${storage}?`
  await sendMessage(question)
  await expect(log).toContainText('Sent')
  const { id: conversation_id } = await findConversation(scene, storage)
  const message = { conversation_id, body: 'We do, on Mondays' }
  await call(scene.url, 'POST', '/api/messages', { message }, scene.token)
  await expect(log).toContainText('We do, on Mondays')
  await sendMessage('Thank you')
  await expect(log.getByText('Thank you')).toBeVisible()
  expectValue(faults).toEqual([])
  await page.context().close()
})

test.for(STORAGE)('in the browser of an app, with storage %s, the dashboard works', async (storage) => {
  const customer = { account_id: scene.account_id, name: `Ida ${storage}` }
  const { data } = await call(scene.url, 'POST', '/api/customers', { customer })
  const started = await call(scene.url, 'POST', '/api/conversations', {
    conversation: { account_id: scene.account_id, customer_id: data.id },
  })
  const question = { conversation_id: started.data.id, customer_id: data.id, body: 'Do you mend bowls?' }
  await call(scene.url, 'POST', '/api/messages', { message: question }, scene.token)
  const { page, faults } = await open(`${scene.url}/login`, storage)
  await page.getByRole('textbox', { name: 'Email' }).fill(ADA.email)
  await page.getByLabel('Password', { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).tap()
  await page.locator(`a[href="/conversations/all/${started.data.id}"]`).tap()
  const log = page.getByRole('log')
  await expect(log.getByText('Do you mend bowls?')).toBeVisible()
  await reply(page, 'With gold')
  await expect(log.getByText('With gold')).toBeVisible()
  await expect(log.getByText(/^Sent/)).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).tap()
  await page.getByRole('button', { name: 'More' }).first().tap()
  await page.getByRole('link', { name: 'Profile' }).first().tap()
  await expect(page.getByLabel('Display name')).toBeVisible()
  expectValue(faults).toEqual([])
  await page.context().close()
})
