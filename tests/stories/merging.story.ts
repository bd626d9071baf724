import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import {
  call,
  expectNoFindings,
  findConversation,
  openChat,
  openConversation,
  openDashboard,
  type Scene,
  setScene,
  visitShop,
} from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

const asAda = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)

/** A visitor whose first conversation was closed, and who is in a second one. */
async function writeTwice(first: string, second: string) {
  const { page, faults } = await visitShop(scene)
  const { chat, log, sendMessage } = await openChat(page)
  await sendMessage(first)
  await expect(log).toContainText('Sent')
  const { id } = await findConversation(scene, first)
  await asAda('PUT', `/api/conversations/${id}`, { conversation: { status: 'closed' } })
  await chat.getByRole('button', { name: 'Start a new conversation' }).click()
  await sendMessage(second)
  await expect(log).toContainText('Sent')
  await expect(log).not.toContainText(first)
  return { log, faults, sendMessage }
}

test('an agent merges two conversations, the visitor sees one, and undoing gives both back', async () => {
  const visitor = await writeTwice('My kettle leaks', 'It drips from the spout')
  const { id: second } = await findConversation(scene, 'spout')
  const { page, faults } = await openDashboard(scene)
  const colleague = await openDashboard(scene)
  await openConversation(colleague.page, 'spout')
  await openConversation(page, 'spout')
  const { id: first } = await findConversation(scene, 'kettle')
  await page.goto(`${scene.url}/conversations/all/${first}`)
  await page.getByRole('button', { name: 'Merge…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /spout/ }).check()
  await expectNoFindings(page)
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  const thread = page.getByRole('log')
  await expect(thread).toContainText('It drips from the spout')
  await expect(thread).toContainText('My kettle leaks')
  // The colleague was reading the other one, and is led to this.
  await expect(colleague.page.getByRole('log')).toContainText('My kettle leaks')
  await expect.poll(() => colleague.page.url()).toContain(first)
  await expect(visitor.log).toContainText('My kettle leaks')
  await expect(visitor.log).toContainText('It drips from the spout')
  await visitor.sendMessage('All in one now')
  await expect(thread).toContainText('All in one now')

  await page.goto(`${scene.url}/conversations/all/${second}`)
  await expect.poll(() => page.url()).toContain(first)
  await expect(page.getByText(/^Merged by/)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(() => page.url()).toContain(second)
  await expect(thread).toContainText('It drips from the spout')
  await expect(thread).not.toContainText('My kettle leaks')
  await expect(page.getByText(/^Merged by/)).toHaveCount(0)
  await expect(visitor.log).not.toContainText('It drips from the spout')
  await expect(visitor.log).toContainText('All in one now')
  expect([...faults, ...colleague.faults, ...visitor.faults]).toEqual([])
})

test('an agent moves a message and what follows into a conversation of its own', async () => {
  const { page: shop } = await visitShop(scene)
  const { log, sendMessage } = await openChat(shop)
  for (const text of ['Where is my order?', 'Something else: do you repair lamps?']) {
    await sendMessage(text)
    await expect(log).toContainText(text)
  }
  await expect(log).toContainText('Sent')
  const { page, faults } = await openDashboard(scene)
  await openConversation(page, 'repair lamps')
  const thread = page.getByRole('log')
  const message = thread.getByRole('article').filter({ hasText: 'repair lamps' })
  await message.hover()
  await message.getByRole('button', { name: 'Move to a new conversation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
  await expect(thread).toContainText('repair lamps')
  await expect(thread).not.toContainText('Where is my order?')
  await expect(page.getByText(/^Split from another conversation/)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(thread).toContainText('Where is my order?')
  await expect(thread).toContainText('repair lamps')
  expect(faults).toEqual([])
})
