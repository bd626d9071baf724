import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene, writeInShop } from './scene.ts'

let scene: Scene
let conversation_id: string

const send = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)

beforeAll(async () => {
  scene = await setScene()
  await send('PUT', '/api/profile', { user_profile: { display_name: 'Ada L.' } })
  const shop = await writeInShop(scene, 'is it waterproof?')
  await shop.context().close()
  conversation_id = (await send('GET', '/api/conversations')).data[0].id
  await send('POST', '/api/messages', { message: { conversation_id, body: 'Yes, it is.' } })
  const count = async () => {
    const today = new Date().toISOString().slice(0, 10)
    const { data } = await send('GET', `/api/reporting?from_date=${today}&to_date=${today}`)
    return data.messages_by_date[0]?.count
  }
  await expect.poll(count, { timeout: 20_000 }).toBe(2)
})
afterAll(() => scene.close())

test('the last thirty days are shown as charts, each with a table, and can be downloaded', async () => {
  const { page, faults } = await openSignedIn(scene, '/reporting')
  await expect(page.getByRole('heading', { name: 'Reporting' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Period' })).toHaveValue('last_30')
  const summary = page.locator('dl')
  await expect(summary.getByText('Conversations').locator('..')).toContainText('1')
  const perDay = page.getByRole('region', { name: 'Messages per day' })
  await expect(perDay.locator('svg[role="application"]')).toBeVisible()
  await perDay.getByText('Table').click()
  const today = new Date().toISOString().slice(0, 10)
  await expect(perDay.getByRole('row', { name: `${today} 2` })).toBeVisible()
  await expect(perDay.getByRole('row')).toHaveCount(31)
  const perUser = page.getByRole('region', { name: 'Messages per user' })
  await perUser.getByText('Table').click()
  await expect(perUser.getByRole('row', { name: 'Ada L. 1' })).toBeVisible()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Days (CSV)' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(31)
  expect(lines.at(-1)).toBe(`"${today}","1","2","1","1"`)
  await expectNoFindings(page)
  expect(faults).toEqual([])
})

test('period, comparison and filters are in the URL and survive a reload', async () => {
  const { page, faults } = await openSignedIn(scene, '/reporting')
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 7 days')
  await expect(page).toHaveURL(/range=last_7/)
  await page.getByLabel('Compare with the period before').check()
  await page.getByRole('combobox', { name: 'Assignee' }).selectOption('No assignee')
  await expect(page).toHaveURL(/assignee_id=nobody/)
  await page.getByRole('combobox', { name: 'Channel' }).selectOption('Email')
  await expect(page.getByText('Nothing in this period').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Channel' })).toHaveValue('email')
  await expect(page.getByLabel('Compare with the period before')).toBeChecked()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('combobox', { name: 'Channel' })).toHaveValue('')
  await page.getByLabel('From').fill('2026-01-31')
  await page.getByLabel('To', { exact: true }).fill('2026-01-01')
  await expect(page.getByRole('alert')).toHaveText('The first day must not lie after the last one.')
  expect(faults).toEqual([])
})

test('if the report cannot be loaded, the page says so and offers to retry', async () => {
  const { page } = await openSignedIn(scene, '/conversations/all')
  await page.route('**/api/reporting?*', (route) => route.abort())
  await page.getByRole('link', { name: 'Reporting' }).click()
  await expect(page.getByText('Report could not be loaded')).toBeVisible({ timeout: 30_000 })
  await page.unroute('**/api/reporting?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Messages per day' })).toBeVisible()
})
