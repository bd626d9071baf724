import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { ADA, call, openDashboard, type Scene, setScene } from './scene.ts'

const PASSWORD = 'correct horse battery'

let scene: Scene
/** The team that supports the users of this installation. */
let helpers: { account_id: string; token: string }

beforeAll(async () => {
  scene = await setScene()
  const user = {
    company_name: 'Helpers',
    email: 'hal@helpers.test',
    password: PASSWORD,
    password_confirmation: PASSWORD,
  }
  helpers = (await call(scene.url, 'POST', '/api/registration', { user })).data
})
afterAll(() => scene.close())

/** Fakes the operator's setting. */
async function enable(page: Page) {
  const support = { token: helpers.account_id, inbox: null, base: null }
  const body = `window.__ENV__ = ${JSON.stringify({ REACT_APP_URL: scene.url, PARLEY_SUPPORT_CHAT: support })}`
  await page.route('**/env.js', (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await page.reload()
}

test('“Chat with us!” opens our own chat, and the support team sees who asks', async () => {
  const { page, faults } = await openDashboard(scene)
  await enable(page)
  await page.getByRole('button', { name: 'Chat with us!' }).click()
  const write = page.frameLocator('#PapercupsChatWidget iframe').getByPlaceholder('Start typing...')
  await write.fill('How do I add a teammate?')
  await write.press('Enter')
  const read = async () =>
    (await call(scene.url, 'GET', '/api/conversations?messages=last', undefined, helpers.token)).data
  await expect.poll(async () => (await read()).length).toBe(1)
  const { data } = await call(scene.url, 'GET', '/api/me', undefined, scene.token)
  const [{ customer }] = await read()
  expect(customer).toMatchObject({
    email: ADA.email,
    external_id: `${scene.account_id}:${data.id}`,
    metadata: { company_name: 'Acme', subscription_plan: expect.any(String), edition: 'US' },
  })
  await page.getByRole('button', { name: 'Chat with us!' }).click()
  await expect(page.locator('#PapercupsChatWidget iframe')).toBeHidden()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(page.locator('#PapercupsChatWidget')).toHaveCount(0)
  expect(faults).toEqual([])
  await page.context().close()
})

test('it is not offered while a chat widget is being set up, nor without a support team', async () => {
  const { page } = await openDashboard(scene)
  const button = page.getByRole('button', { name: 'Chat with us!' })
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  await expect(button).toHaveCount(0)
  await enable(page)
  await expect(button).toBeVisible()
  await page.goto(`${scene.url}/settings/chat-widget`)
  await expect(page.getByRole('heading', { name: 'Chat widget settings' })).toBeVisible()
  await expect(button).toHaveCount(0)
  await page.context().close()
})
