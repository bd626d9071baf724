import type { FrameLocator } from '@playwright/test'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, openChat, type Scene, setScene, visitShop } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterEach(async () => {
  for (const context of scene.browser.contexts()) await context.close()
})
afterAll(() => scene.close())

/** A file comes over the window as browsers tell it: by an event that carries it. */
const give = (chat: FrameLocator, how: 'paste' | 'drop' | 'dragenter', name: string, text = 'one lamp') =>
  chat.getByPlaceholder('Start typing...').evaluate(
    (area, [event, filename, content]) => {
      const carried = new DataTransfer()
      carried.items.add(new File([content!], filename!, { type: 'text/plain' }))
      const options = { bubbles: true, cancelable: true }
      const given =
        event === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: carried })
          : new DragEvent(event!, { ...options, dataTransfer: carried })
      area.dispatchEvent(given)
      return given.defaultPrevented
    },
    [how, name, text] as const,
  )

test('a file that is pasted into the words goes with them', async () => {
  const { page, faults } = await visitShop(scene)
  const { chat, log, say } = await openChat(page)
  expect(await give(chat, 'paste', 'pasted.txt')).toBe(true)
  await expect(chat.getByRole('list', { name: 'Attached files' })).toContainText('pasted.txt')
  await expect(chat.getByRole('button', { name: 'Send message' })).toBeEnabled()
  await say('From my clipboard')
  await expect(log.getByRole('link', { name: /pasted\.txt/ })).toBeVisible()
  await expect(log).toContainText('Sent')
  expect(faults).toEqual([])
})

test('a file that is dropped anywhere on the window is attached and does not take the place of the chat', async () => {
  const { page, faults } = await visitShop(scene)
  const { chat } = await openChat(page)
  await give(chat, 'dragenter', 'dropped.txt')
  await expect(chat.getByText('Drop files to attach them')).toBeVisible()
  expect(await give(chat, 'drop', 'dropped.txt')).toBe(true)
  await expect(chat.getByText('Drop files to attach them')).toHaveCount(0)
  await expect(chat.getByRole('list', { name: 'Attached files' })).toContainText('dropped.txt')
  expect(faults).toEqual([])
})

test('where the settings hide attachments nothing can be dropped or pasted, and the chat stays where it is', async () => {
  const hide = (is_hide_attachments: boolean) =>
    call(scene.url, 'PUT', '/api/widget_settings', { widget_settings: { is_hide_attachments } }, scene.token)
  await hide(true)
  const { page } = await visitShop(scene)
  const { chat } = await openChat(page)
  expect(await give(chat, 'drop', 'dropped.txt')).toBe(true)
  await give(chat, 'paste', 'pasted.txt')
  await expect(chat.getByPlaceholder('Start typing...')).toBeVisible()
  await expect(chat.getByRole('list', { name: 'Attached files' })).toHaveCount(0)
  await hide(false)
})

test('an upload that is on its way is cancelled, leaves nothing behind, and what was written can still be sent', async () => {
  const { page, faults } = await visitShop(scene)
  const { chat, log, say } = await openChat(page)
  const held: (() => void)[] = []
  await page.route('**/api/upload', async (route) => {
    await new Promise<void>((release) => held.push(release))
    await route.abort().catch(() => undefined)
  })
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/upload'))
  await chat.locator('input[type=file]').setInputFiles({
    name: 'slow.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('slow'),
  })
  await expect(chat.getByRole('progressbar', { name: 'Uploading slow.txt' })).toBeVisible()
  await expect.poll(() => held.length).toBe(1)
  await expect(chat.getByRole('button', { name: 'Send message' })).toBeDisabled()
  await chat.getByRole('button', { name: 'Remove slow.txt' }).click()
  await cancelled
  await expect(chat.getByRole('list', { name: 'Attached files' })).toHaveCount(0)
  for (const release of held) release()
  await say('Without the file')
  await expect(log).toContainText('Sent')
  await page.reload()
  const again = await openChat(page)
  await expect(again.log).toContainText('Without the file')
  await expect(again.chat.getByRole('list', { name: 'Attached files' })).toHaveCount(0)
  expect(faults).toEqual([])
})
