import sharp from 'sharp'
import { afterAll, beforeAll, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { openConversation, openDashboard, openSignedIn, type Scene, setScene, writeInShop } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
  const shop = await writeInShop(scene, 'could you send me a picture of the lamp?')
  await shop.context().close()
})
afterAll(() => scene.close())

test('an agent attaches a picture and a colleague sees it in the thread', async () => {
  const ada = await openDashboard(scene)
  const other = await openDashboard(scene)
  for (const { page } of [ada, other]) await openConversation(page, 'picture of the lamp')
  const buffer = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#a07040' } })
    .png()
    .toBuffer()
  await ada.page.locator('input[type=file]').setInputFiles([{ name: 'lamp.png', mimeType: 'image/png', buffer }])
  await expect(ada.page.getByText('lamp.png').first()).toBeVisible()
  const send = ada.page.getByRole('button', { name: 'Send', exact: true })
  await expect(send).toBeEnabled()
  await send.click()
  await expect(other.page.getByRole('button', { name: /Open picture/ })).toBeVisible()
  expect([...ada.faults, ...other.faults]).toEqual([])
})

test('a shared link shows the messages to anybody, until it is revoked', async () => {
  const { page } = await openDashboard(scene)
  await openConversation(page, 'Attachment')
  await page.getByRole('button', { name: 'Make a link' }).click()
  const link = await page.getByLabel('Link to this conversation').inputValue()
  const stranger = await openPage(scene.browser)
  const shared = '**/api/conversations/shared*'
  await stranger.page.route(shared, (route) => route.abort())
  await stranger.page.goto(link.replace(/^https?:\/\/[^/]+/, scene.url))
  await expect(stranger.page.getByRole('alert')).toContainText('This conversation cannot be shown')
  await stranger.page.unroute(shared)
  await stranger.page.getByRole('button', { name: 'Try again' }).click()
  await expect(stranger.page.getByText('could you send me a picture of the lamp?')).toBeVisible()
  await page.getByRole('button', { name: 'Revoke' }).first().click()
  await expect(page.getByRole('button', { name: 'Revoke' })).toHaveCount(0)
  await stranger.page.reload()
  await expect(stranger.page.getByText('Access denied').first()).toBeVisible()
})

test('a saved reply is made, and found only by words it has', async () => {
  const { page } = await openSignedIn(scene, '/settings/saved-replies')
  await expect(page.getByRole('heading', { name: 'No saved replies yet' })).toBeVisible()
  await page.getByRole('button', { name: 'New' }).click()
  await page.getByLabel('Name').fill('thank/you')
  await page.getByLabel('Content').fill('Thank you for your patience!')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('/thankyou')).toBeVisible()
  await page.getByPlaceholder('Search saved replies...').fill('patience thank')
  await expect(page.getByText('/thankyou')).toBeVisible()
  await page.getByPlaceholder('Search saved replies...').fill('patience zebra')
  await expect(page.getByText('/thankyou')).toHaveCount(0)
})
