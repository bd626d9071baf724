import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect as check, test } from 'vitest'
import { expect, type Watched } from '#tests/support/browser.ts'
import { call, expectNoFindings, openConversation, openDashboard, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene
const BEN = { email: 'ben@acme.test', password: 'correct horse battery' }
const PHONE = { viewport: { width: 390, height: 844 } }

beforeAll(async () => {
  scene = await setScene()
  const { data } = await call(scene.url, 'POST', '/api/user_invitations', {}, scene.token)
  const user = { invite_token: data.id, ...BEN, password_confirmation: BEN.password }
  await call(scene.url, 'POST', '/api/registration', { user })
})
afterAll(() => scene.close())

/** A conversation of a customer. Returns its id. */
async function startConversation(name: string, body: string): Promise<string> {
  const { account_id, url, token } = scene
  const customer = await call(url, 'POST', '/api/customers', { customer: { account_id, name } })
  const customer_id: string = customer.data.id
  const opened = await call(url, 'POST', '/api/conversations', { conversation: { account_id, customer_id } })
  const conversation_id: string = opened.data.id
  await call(url, 'POST', '/api/messages', { message: { conversation_id, customer_id, body } }, token)
  return conversation_id
}

const remove = (id: string) => call(scene.url, 'DELETE', `/api/conversations/${id}`, undefined, scene.token)
const openDeleted = (options = {}, user?: typeof BEN): Promise<Watched> =>
  openSignedIn(scene, '/conversations/deleted', options, user)
const row = (page: Page, name: string) => page.getByRole('main').getByRole('row').filter({ hasText: name })

test('an admin finds a deleted conversation, reads it, and restores it', async () => {
  await startConversation('Nora', 'Where is my wardrobe?')
  await remove(await startConversation('Otto', 'Wrong number, sorry'))
  const { page, faults } = await openDashboard(scene)
  await openConversation(page, 'Nora')
  await page.getByRole('button', { name: 'Delete conversation' }).click()
  await expect(page.getByText('Conversation deleted!').first()).toBeVisible()
  await page.getByRole('link', { name: 'Deleted', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Deleted conversations' })).toBeVisible()
  await expect(row(page, 'Nora')).toContainText('Where is my wardrobe?')
  await expect(row(page, 'Nora')).toContainText('by ada@acme.test')
  await expectNoFindings(page, 'main')

  const search = page.getByRole('searchbox', { name: 'Search customers and subjects...' })
  await search.fill('nor')
  await expect(row(page, 'Otto')).toHaveCount(0)
  await search.fill('nobody')
  await expect(page.getByText('No deleted conversation matches')).toBeVisible()
  await search.fill('nora')
  await row(page, 'Nora').getByRole('button', { name: 'Nora', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('Where is my wardrobe?')
  await page.keyboard.press('Escape')

  await row(page, 'Nora').getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('Conversation restored')).toBeVisible()
  await expect(row(page, 'Nora')).toHaveCount(0)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Nora' })).toBeVisible()
  await expect(page.getByPlaceholder('Write a reply')).toBeVisible()
  check(faults).toEqual([])
})

test('a destroyed conversation is gone after a question, in other tabs, too', async () => {
  const id = await startConversation('Piet', 'Please forget this')
  const first = await openDeleted()
  const other = await openDeleted(PHONE)
  const reader = await openSignedIn(scene, `/conversations/all/${id}`)
  await expect(reader.page.getByText('Please forget this').first()).toBeVisible()
  await remove(id)
  await expect(row(other.page, 'Piet')).toBeVisible()
  await expect(other.page.locator('html')).toHaveJSProperty('scrollWidth', 390)
  const destroy = row(first.page, 'Piet').getByRole('button', { name: 'Destroy' })
  await destroy.click()
  await first.page.getByRole('alertdialog').getByRole('button', { name: 'No' }).click()
  await expect(row(first.page, 'Piet')).toBeVisible()
  await destroy.click()
  await expectNoFindings(first.page, '[role="alertdialog"]')
  await first.page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  for (const { page } of [first, other]) await expect(row(page, 'Piet')).toHaveCount(0)
  await expect(reader.page.getByText('Please forget this')).toHaveCount(0)
  check([...first.faults, ...other.faults]).toEqual([])
})

test('without deleted conversations the page says so, a failure can be retried, and members are told it is for admins', async () => {
  const { data } = await call(scene.url, 'GET', '/api/deleted_conversations', undefined, scene.token)
  for (const { id } of data) await call(scene.url, 'DELETE', `/api/deleted_conversations/${id}`, undefined, scene.token)
  const { page } = await openDeleted()
  await expect(page.getByText('No deleted conversations')).toBeVisible()
  await page.route('**/api/deleted_conversations*', (route) => route.fulfill({ status: 503, body: '{}' }))
  await page.reload()
  await expect(page.getByText('Error retrieving deleted conversations')).toBeVisible({ timeout: 30_000 })
  await page.unroute('**/api/deleted_conversations*')
  await page.getByRole('button', { name: /retry|again/i }).click()
  await expect(page.getByText('No deleted conversations')).toBeVisible()
  const member = await openDeleted({}, BEN)
  await expect(member.page.getByRole('main')).toContainText(/admin/i)
  await expect(member.page.getByRole('link', { name: 'Deleted', exact: true })).toHaveCount(0)
})
