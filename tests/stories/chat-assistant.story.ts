import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openChat, openSignedIn, type Scene, setScene, visitShop } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
  const send = (method: string, path: string, body: object) => call(scene.url, method, path, body, scene.token)
  await send('PUT', '/api/help_center', { help_center: { is_published: true } })
  const article = { language: 'en', title: 'How do I return a lamp?', body: 'Send it back within thirty days.' }
  const { data } = await send('POST', '/api/articles', { article })
  await send('POST', `/api/articles/${data.id}/translations/en/publish`, {})
})
afterAll(() => scene.close())

test('an admin switches the assistant on and tries it out; a visitor gets articles, and an agent sees what was handed over', async () => {
  const { data: inbox } = await call(scene.url, 'GET', '/api/inboxes/primary', undefined, scene.token)
  const { page, faults } = await openSignedIn(scene, `/inboxes/${inbox.id}`)
  const when = page.getByRole('region', { name: 'First answers' })
  await when.getByRole('button', { name: 'Edit' }).click()
  await when.getByRole('combobox').selectOption('Always')
  await when.getByRole('button', { name: 'Save' }).click()
  await expect(when.getByRole('combobox')).toBeDisabled()
  const tryOut = page.getByRole('region', { name: 'Try it out' })
  await tryOut.getByRole('textbox', { name: 'Question' }).fill('Can I return my lamp?')
  await tryOut.getByRole('button', { name: 'Ask' }).click()
  await expect(tryOut.getByRole('status')).toContainText('These articles may answer your question')
  await expect(tryOut.getByRole('link', { name: 'How do I return a lamp?' })).toBeVisible()
  await expectNoFindings(page)

  const shop = await visitShop(scene)
  const { chat, log, sendMessage } = await openChat(shop.page)
  await sendMessage('Can I return my lamp?')
  await expect(log.getByRole('link', { name: 'How do I return a lamp?' })).toBeVisible()
  await expect(log.getByText('Assistant', { exact: true })).toBeVisible()
  await expect(log).toContainText('A person will answer you here.')

  await page.goto(`${scene.url}/help-center/answers`)
  const row = page.getByRole('row', { name: /Can I return my lamp/ })
  await expect(row).toContainText('Handed over')
  await expect(row.getByRole('link', { name: /Edit article/ })).toBeVisible()
  await expectNoFindings(page)
  await row.getByRole('link', { name: /^Open/ }).click()
  await expect(
    page.getByText('The assistant has handed this conversation over', { exact: false }).first(),
  ).toBeVisible()
  await expect(page.getByText('Assistant', { exact: true }).first()).toBeVisible()

  await chat.getByRole('button', { name: 'That helped' }).click()
  await expect(chat.getByText('This conversation was closed.')).toBeVisible()
  await page.goto(`${scene.url}/help-center/answers`)
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Helped')
  await expect(page.getByRole('row', { name: /Can I return my lamp/ })).toBeVisible()

  await page.goto(`${scene.url}/reporting`)
  const report = page.getByRole('region', { name: 'First answers of the assistant' })
  await expect(report).toContainText('Conversations 1')
  await report.getByText('Table').click()
  await expect(report.getByRole('row', { name: 'Helped 1' })).toBeVisible()
  await expect(report.getByRole('row', { name: 'Handed over 0' })).toBeVisible()
  const reasons = page.getByRole('region', { name: 'Why the assistant handed over' })
  await expect(reasons).toContainText('Nothing in this period')
  expectValue(faults).toEqual([])
})

test('a report without the answers of the assistant says so, and offers to load them again', async () => {
  const { page } = await openSignedIn(scene, '/conversations/all')
  await page.route('**/api/reporting/first_answers?*', (route) => route.abort())
  await page.getByRole('link', { name: 'Reporting' }).click()
  const report = page.getByRole('region', { name: 'First answers of the assistant' })
  await expect(report).toContainText('Report could not be loaded', { timeout: 30_000 })
  await page.unroute('**/api/reporting/first_answers?*')
  await report.getByRole('button', { name: 'Try again' }).click()
  await expect(report).toContainText('Conversations 1')
})
