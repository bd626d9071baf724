import type { FrameLocator } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, findConversation, openChat, openDashboard, PICTURE, type Scene, setScene, visitShop } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene({}, {}, { isWhole: true })
})
afterAll(() => scene.close())

/** Simulates a paste or drop of a file by dispatching the browser's event. */
const give = (chat: FrameLocator, how: 'paste' | 'drop' | 'dragenter', name: string, text = 'one lamp') =>
  chat.getByPlaceholder('Start typing...').evaluate(
    (area, [event, filename, content]) => {
      const carried = new DataTransfer()
      carried.items.add(new File([content!], filename!, { type: 'text/plain' }))
      const options = { bubbles: true, cancelable: true }
      const transferEvent =
        event === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: carried })
          : new DragEvent(event!, { ...options, dataTransfer: carried })
      area.dispatchEvent(transferEvent)
      return transferEvent.defaultPrevented
    },
    [how, name, text] as const,
  )

test('a pasted file is sent with the text', async () => {
  const { page, faults } = await visitShop(scene)
  const { chat, log, sendMessage } = await openChat(page)
  expect(await give(chat, 'paste', 'pasted.txt')).toBe(true)
  await expect(chat.getByRole('list', { name: 'Attached files' })).toContainText('pasted.txt')
  await expect(chat.getByRole('button', { name: 'Send message' })).toBeEnabled()
  await sendMessage('From my clipboard')
  await expect(log.getByRole('link', { name: /pasted\.txt/ })).toBeVisible()
  await expect(log).toContainText('Sent')
  expect(faults).toEqual([])
})

test('what is said to screen readers only, such as “You:” and “Download”, takes no room on the screen', async () => {
  const { page, faults } = await visitShop(scene)
  const { chat, log, sendMessage } = await openChat(page)
  await give(chat, 'paste', 'heard.txt')
  await sendMessage('Only heard')
  await expect(log).toContainText('Sent')
  for (const text of ['You:', 'Download']) {
    const label = log.getByText(text, { exact: true })
    expect(await label.evaluate((element) => getComputedStyle(element).clipPath)).toBe('inset(50%)')
    const { width, height } = (await label.boundingBox())!
    expect(Math.max(width, height)).toBeLessThanOrEqual(1)
  }
  expect(faults).toEqual([])
})

test('a file dropped anywhere on the window is attached and does not replace the chat', async () => {
  const { page, faults } = await visitShop(scene)
  const { chat } = await openChat(page)
  await give(chat, 'dragenter', 'dropped.txt')
  await expect(chat.getByText('Drop files to attach them')).toBeVisible()
  expect(await give(chat, 'drop', 'dropped.txt')).toBe(true)
  await expect(chat.getByText('Drop files to attach them')).toHaveCount(0)
  await expect(chat.getByRole('list', { name: 'Attached files' })).toContainText('dropped.txt')
  expect(faults).toEqual([])
})

test('if the settings hide attachments, nothing can be dropped or pasted, and a dropped file does not replace the chat', async () => {
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

test('a running upload can be cancelled, leaves nothing behind, and the text can still be sent', async () => {
  const { page, faults } = await visitShop(scene)
  const { chat, log, sendMessage } = await openChat(page)
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
  await sendMessage('Without the file')
  await expect(log).toContainText('Sent')
  await page.reload()
  const again = await openChat(page)
  await expect(again.log).toContainText('Without the file')
  await expect(again.chat.getByRole('list', { name: 'Attached files' })).toHaveCount(0)
  expect(faults).toEqual([])
})

test('a message sent while its file uploads waits for the file; editing it or a failed upload keeps it back', async () => {
  const { page, faults } = await visitShop(scene)
  const { chat, log, sendMessage } = await openChat(page)
  const write = chat.getByPlaceholder('Start typing...')
  const uploads: ((isAccepted: boolean) => void)[] = []
  await page.route('**/api/upload', async (route) => {
    const isAccepted = await new Promise<boolean>((finish) => uploads.push(finish))
    await (isAccepted ? route.continue() : route.abort())
  })
  const attach = async (name: string) => {
    const before = uploads.length
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from(name) }
    await chat.locator('input[type=file]').setInputFiles(file)
    await expect.poll(() => uploads.length).toBe(before + 1)
  }
  await attach('receipt.txt')
  await sendMessage('The receipt')
  await expect(chat.getByText('Waiting to be sent')).toBeVisible()
  await write.press('End')
  await write.pressSequentially(' again')
  await expect(chat.getByText('Waiting to be sent')).toHaveCount(0)
  await write.press('Enter')
  uploads[0]!(true)
  await expect(log).toContainText('The receipt again')
  await expect(log.getByRole('link', { name: /receipt\.txt/ })).toBeVisible()
  await expect(write).toHaveValue('')

  await attach('broken.txt')
  await sendMessage('Another file')
  uploads[1]!(false)
  await expect(chat.getByRole('list', { name: 'Attached files' })).toContainText('Not uploaded.')
  await expect(chat.getByText('Waiting to be sent')).toHaveCount(0)
  await expect(write).toHaveValue('Another file')
  expect(faults).toEqual([])
})

test('a picture is attached, shown to both sides and enlarged; Escape returns to it', async () => {
  const { page, faults } = await visitShop(scene)
  const { chat, log, sendMessage } = await openChat(page)
  await chat.locator('input[type=file]').setInputFiles({ name: 'lamp.png', mimeType: 'image/png', buffer: PICTURE })
  await expect(chat.getByRole('list', { name: 'Attached files' })).toContainText('lamp.png')
  await expect(chat.getByRole('button', { name: 'Send message' })).toBeEnabled()
  await sendMessage('Here is the photograph')
  const picture = log.getByRole('button', { name: 'Open picture lamp.png' })
  await expect(picture).toBeVisible()
  await expect(log).toContainText('Sent')
  expect((await findConversation(scene, 'photograph')).messages[0].attachments).toMatchObject([
    { content_type: 'image/png' },
  ])

  await picture.click()
  await expect(chat.getByRole('dialog', { name: 'lamp.png' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chat.getByRole('dialog', { name: 'lamp.png' })).toHaveCount(0)
  await expect(picture).toBeFocused()
  expect(faults).toEqual([])
})

test('a part of the chat that could not be loaded is loaded a moment later', async () => {
  const { page, faults } = await visitShop(scene)
  let refusals = 0
  await page.route('**/PictureViewer*.js', (route) => (refusals++ < 2 ? route.abort() : route.continue()))
  const { chat, log, sendMessage } = await openChat(page)
  await chat.locator('input[type=file]').setInputFiles({ name: 'lamp.png', mimeType: 'image/png', buffer: PICTURE })
  await expect(chat.getByRole('button', { name: 'Send message' })).toBeEnabled()
  await sendMessage('Another photograph')
  await log.getByRole('button', { name: 'Open picture lamp.png' }).click()
  await expect(chat.getByRole('dialog', { name: 'lamp.png' })).toBeVisible()
  expect(refusals).toBe(3)
  expect(faults).toEqual([])
})

test('a file that is too large can be removed; one chosen before a reload is still there', async () => {
  const { page } = await visitShop(scene)
  const { chat } = await openChat(page)
  const files = chat.getByRole('list', { name: 'Attached files' })
  const choose = (name: string, buffer: Buffer) =>
    chat.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer })
  await choose('huge.bin', Buffer.alloc(8_000_001, 1))
  await expect(files).toContainText('Larger than 8 MB.')
  await chat.getByRole('button', { name: 'Remove huge.bin' }).click()
  await expect(files).toHaveCount(0)
  await choose('order.txt', Buffer.from('one lamp'))
  await expect(chat.getByRole('button', { name: 'Send message' })).toBeEnabled()
  await page.reload()
  const again = await openChat(page)
  await expect(again.chat.getByRole('list', { name: 'Attached files' })).toContainText('order.txt')
})

test('an upload without network says so, and is retried when the network is back', async () => {
  const { page } = await visitShop(scene)
  const { chat } = await openChat(page)
  const choose = (name: string) =>
    chat.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('x') })
  // The upload code is loaded with the first file.
  await choose('first.txt')
  await expect(chat.getByRole('button', { name: 'Send message' })).toBeEnabled()
  await page.context().setOffline(true)
  await choose('second.txt')
  await expect(chat.getByRole('list', { name: 'Attached files' })).toContainText('Not uploaded.')
  await page.context().setOffline(false)
  await expect(chat.getByRole('list', { name: 'Attached files' })).not.toContainText('Not uploaded.')
})

test('a voice message is recorded, can be cancelled, is sent, and can be played by both sides', async () => {
  const { page } = await visitShop(scene, { permissions: ['microphone'] })
  const { chat, log } = await openChat(page)
  await chat.getByRole('button', { name: 'Record a voice message' }).click()
  await expect(chat.getByRole('button', { name: 'Send voice message' })).toBeFocused()
  await chat.getByRole('button', { name: 'Cancel' }).click()
  await expect(chat.getByPlaceholder('Start typing...')).toBeFocused()
  await chat.getByRole('button', { name: 'Record a voice message' }).click()
  await expect(chat.getByRole('timer')).toHaveText('0:02')
  await chat.getByRole('button', { name: 'Send voice message' }).click()
  await expect(log.getByRole('button', { name: 'Play' })).toBeVisible()
  await expect(log).toContainText('Sent')
  await expect(log.getByRole('slider', { name: 'Voice message' })).toBeVisible()
  await log.getByRole('button', { name: 'Play' }).click()
  await expect(log.getByRole('button', { name: 'Pause' })).toBeVisible()

  const ada = await openDashboard(scene)
  await ada.page.locator('a[href^="/conversations/all/"]').first().click()
  const player = ada.page.locator('audio')
  await expect(player).toBeAttached()
  const sound = await player.evaluate(async (audio: HTMLAudioElement) => {
    const bytes = await (await fetch(audio.src)).arrayBuffer()
    const sound = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes)
    const loudest = sound.getChannelData(0).reduce((max, sample) => Math.max(max, Math.abs(sample)), 0)
    return { seconds: sound.duration, loudest }
  })
  expect(sound.seconds).toBeGreaterThan(1)
  expect(sound.loudest, 'the beep of the microphone').toBeGreaterThan(0.01)
  const voice = ada.page.getByRole('log').getByRole('slider', { name: 'Voice message' })
  await expect(voice.locator('..')).toContainText(/0:0[1-9]/)
  await ada.page.getByRole('log').getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBeGreaterThan(0)
  await expect.poll(async () => Number(await voice.inputValue())).toBeGreaterThan(0)
  expect(ada.faults).toEqual([])
})

test('a blocked microphone is explained, and one can continue to write', async () => {
  const { page } = await visitShop(scene)
  const { chat } = await openChat(page)
  await chat.getByRole('button', { name: 'Record a voice message' }).click()
  await expect(chat.getByRole('alert')).toHaveText(/The microphone is blocked|No microphone was found/)
  await chat.getByRole('button', { name: 'Cancel' }).click()
  await expect(chat.getByPlaceholder('Start typing...')).toBeVisible()
})
