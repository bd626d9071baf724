import AxeBuilder from '@axe-core/playwright'
import type { Page, Route } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import {
  call,
  findConversation,
  openChat,
  openConversation,
  openDashboard,
  PICTURE,
  type Scene,
  setScene,
  visitShop,
} from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene({}, {}, { isWhole: true })
})
afterAll(() => scene.close())

const asAda = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)
const find = (word: string) => findConversation(scene, word)

async function answer(word: string, message: object) {
  const { id } = await find(word)
  return asAda('POST', '/api/messages', { message: { conversation_id: id, ...message } })
}

async function start(page: Page, text: string) {
  const opened = await openChat(page)
  await opened.sendMessage(text)
  await expect(opened.log).toContainText(text)
  await expect(opened.log).toContainText('Sent')
  return opened
}

test('a closed conversation is rated with one tap and a comment, which the team sees, and a new one is started', async () => {
  const { page, faults } = await visitShop(scene)
  const { chat, log, sendMessage } = await start(page, 'My kettle leaks')
  const { id } = await find('kettle')
  await asAda('PUT', `/api/conversations/${id}`, { conversation: { status: 'closed' } })
  await expect(chat.getByText('This conversation was closed.')).toBeVisible()
  await chat.getByRole('button', { name: 'Good' }).click()
  await expect(chat.getByText('Thank you for telling us.')).toBeVisible()
  await chat.getByPlaceholder('Anything you would like to add?').fill('Quick and kind')
  await chat.getByRole('button', { name: 'Send', exact: true }).click()
  await expect
    .poll(async () => (await asAda('GET', `/api/conversations/${id}/rating`)).data)
    .toMatchObject({ score: 4, comment: 'Quick and kind' })

  await chat.getByRole('button', { name: 'Start a new conversation' }).click()
  await expect(log).not.toContainText('My kettle leaks')
  await sendMessage('Now about the toaster')
  await expect(log).toContainText('Sent')
  expect((await find('toaster')).id).not.toBe(id)
  expect(faults).toEqual([])
})

test('earlier conversations can be opened, and messages in them arrive there', async () => {
  const { page } = await visitShop(scene)
  const { chat, log, sendMessage } = await start(page, 'First about spoons')
  const first = await find('spoons')
  await asAda('PUT', `/api/conversations/${first.id}`, { conversation: { status: 'closed' } })
  await chat.getByRole('button', { name: 'Start a new conversation' }).click()
  await sendMessage('Second about forks')
  await expect(log).toContainText('Sent')

  await chat.getByRole('button', { name: 'Your conversations' }).click()
  await expect(chat.getByRole('heading', { name: 'Your conversations' })).toBeFocused()
  await chat.getByRole('button', { name: /First about spoons/ }).click()
  await expect(log).toContainText('First about spoons')
  await sendMessage('One more spoon')
  await expect(log).toContainText('Sent')
  await expect.poll(async () => (await find('spoons')).status).toBe('open')
  const { data } = await asAda('GET', `/api/messages?conversation_id=${first.id}`)
  expect(data.map(({ body }: { body: string }) => body)).toEqual(['One more spoon', 'First about spoons'])

  await answer('forks', { body: 'The forks are silver.' })
  await expect(chat.getByRole('button', { name: 'Your conversations' })).toContainText('1')
  await chat.getByRole('button', { name: 'Your conversations' }).click()
  await chat.getByRole('button', { name: /The forks are silver/ }).click()
  await expect(log).toContainText('The forks are silver.')
  await expect(log).not.toContainText('One more spoon')
})

test('a conversation started by the team arrives while another one is on screen', async () => {
  const { page } = await visitShop(scene)
  const { chat } = await start(page, 'About my hammock')
  const { customer_id } = await find('hammock')
  await asAda('POST', '/api/conversations', { conversation: { customer_id, message: { body: 'By the way: a sale' } } })
  await expect(chat.getByRole('button', { name: 'Your conversations' })).toContainText('1')
})

test('a message that arrives while the list of conversations is loading is counted', async () => {
  const { page } = await visitShop(scene)
  await start(page, 'About my rug')
  const { customer_id } = await find('rug')
  await asAda('POST', '/api/conversations', { conversation: { customer_id, message: { body: 'We found a lantern' } } })
  const mistake = await answer('lantern', { body: 'It is red' })
  // Loaded afresh, so that no request of the new conversation is on its way.
  await page.reload()
  const { chat } = await openChat(page)
  const unseen = chat.getByRole('button', { name: 'Your conversations' })
  await expect(unseen).toContainText('2')

  const loading = Promise.withResolvers<Route>()
  await page.route('**/api/visitor_conversations*', loading.resolve)
  await asAda('DELETE', `/api/messages/${mistake.data.id}`)
  const route = await loading.promise
  const response = await route.fetch()
  await answer('lantern', { body: 'It is blue' })
  await expect(unseen).toContainText('3')
  await route.fulfill({ response })
  await expect(unseen).toContainText('2')
})

test('formatting, buttons and quick replies of the team are shown, and a click on one replies', async () => {
  const { page } = await visitShop(scene)
  const { chat, log } = await start(page, 'How do I return a sofa?')
  await answer('sofa', {
    body: '**Three** ways:\n\n- shop\n- post',
    template: { header: { text: 'Your return' }, buttons: [{ text: 'By post' }] },
    metadata: { quick_replies: [{ text: 'In the shop', action: 'shop' }] },
  })
  await expect(log.locator('strong', { hasText: 'Three' })).toBeVisible()
  await expect(log.getByRole('listitem')).toHaveText(['shop', 'post'])
  await expect(log).toContainText('Your return')
  await expect(chat.getByRole('button', { name: 'In the shop' })).toBeVisible()
  await chat.getByRole('button', { name: 'By post' }).click()
  await expect(chat.getByRole('button', { name: 'By post' })).toHaveCount(0)
  await expect
    .poll(async () => (await find('sofa')).messages.at(-1))
    .toMatchObject({ body: 'By post', metadata: { reply_action: 'By post' } })
})

test('an emoji is inserted at the cursor with the keyboard alone', async () => {
  const { page } = await visitShop(scene)
  const { chat } = await openChat(page)
  const write = chat.getByPlaceholder('Start typing...')
  await write.fill('Hello!')
  await write.press('ArrowLeft')
  await chat.getByRole('button', { name: 'Emoji' }).press('Enter')
  await expect(chat.getByRole('button', { name: '😀' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(write).toHaveValue('Hello😄!')
  await expect(write).toBeFocused()
  await chat.getByRole('button', { name: 'Emoji' }).press('Enter')
  await expect(chat.getByRole('button', { name: '😀' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(chat.getByRole('dialog', { name: 'Emoji' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Close chat widget' })).toBeVisible()
})

test('while the chat is closed, missed messages are counted on the button and shown beside it', async () => {
  const { page } = await visitShop(scene)
  const { chat } = await start(page, 'Ping me about the rug')
  await page.getByRole('button', { name: 'Close chat widget' }).click()
  await answer('rug', { body: 'The rug is here.' })
  await expect(page.getByRole('button', { name: /^Open chat widget/ })).toContainText('1')
  await expect(chat.getByRole('button', { name: 'The rug is here.' })).toBeVisible()
  await chat.getByRole('button', { name: 'View new messages' }).click()
  await expect(chat.getByRole('log')).toContainText('The rug is here.')
  await expect(chat.getByPlaceholder('Start typing...')).toBeFocused()
})

test('in every state axe finds nothing', async () => {
  const { page } = await visitShop(scene)
  const { chat, log, sendMessage } = await start(page, 'Accessible armchair')
  const check = async (state: string) => {
    const { violations } = await new AxeBuilder({ page }).include('#PapercupsChatWidget').analyze()
    expect(
      violations.map(({ id, nodes }) => `${state}: ${id} ${nodes[0]?.html}`),
      state,
    ).toEqual([])
  }
  await answer('armchair', { body: 'It is *soft*: https://acme.test', template: { buttons: [{ text: 'Buy' }] } })
  await expect(chat.getByRole('button', { name: 'Buy' })).toBeVisible()
  await check('answered')
  await chat.locator('input[type=file]').setInputFiles({ name: 'chair.png', mimeType: 'image/png', buffer: PICTURE })
  await expect(chat.getByRole('list', { name: 'Attached files' })).toBeVisible()
  await check('file chosen')
  // Nothing can be sent during an upload.
  await expect(chat.getByRole('button', { name: 'Send message' })).toBeEnabled()
  await sendMessage('See')
  await log.getByRole('button', { name: 'Open picture chair.png' }).click()
  await check('picture open')
  await page.keyboard.press('Escape')
  await chat.getByRole('button', { name: 'Emoji' }).click()
  await check('emoji')
  await page.keyboard.press('Escape')
  const { id } = await find('armchair')
  await asAda('PUT', `/api/conversations/${id}`, { conversation: { status: 'closed' } })
  await chat.getByRole('button', { name: 'Great' }).click()
  await expect(chat.getByPlaceholder('Anything you would like to add?')).toBeVisible()
  await check('rated')
  await chat.getByRole('button', { name: 'Start a new conversation' }).click()
  await chat.getByRole('button', { name: 'Your conversations' }).click()
  await expect(chat.getByRole('heading', { name: 'Your conversations' })).toBeVisible()
  await check('list')
})

test('in Arabic the window is mirrored and each message keeps its own direction', async () => {
  // The snippet sets no language, so the page's counts before the browser's.
  const { page } = await openPage(scene.browser)
  await page.addInitScript(() => {
    const speakArabic = () => document.documentElement.setAttribute('lang', 'ar')
    new MutationObserver(speakArabic).observe(document, { childList: true })
  })
  await page.goto(scene.shop)
  await page.getByRole('button', { name: 'Open chat widget' }).click()
  const chat = page.frameLocator('iframe')
  const write = chat.getByPlaceholder('اكتب رسالتك...')
  await write.fill('Do you ship to Cairo?')
  await write.press('Enter')
  await expect(chat.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(chat.getByRole('heading'), 'whatever the language of the title').toHaveCSS('text-align', 'right')
  await expect(chat.getByText('Do you ship to Cairo?')).toHaveCSS('direction', 'ltr')
  await expect(chat.getByRole('button', { name: 'إغلاق المحادثة' })).toBeVisible()
})

test('on a phone the chat fills the screen and the composer is at its end', async () => {
  const { page } = await visitShop(scene, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const { chat } = await openChat(page)
  const frame = await page.locator('iframe').boundingBox()
  expect(frame).toMatchObject({ x: 0, y: 0, width: 390, height: 844 })
  const write = await chat.getByPlaceholder('Start typing...').boundingBox()
  expect(write!.y + write!.height).toBeGreaterThan(760)
  await chat.getByRole('button', { name: 'Close chat' }).click()
  await expect(page.getByRole('button', { name: 'Open chat widget' })).toBeFocused()
})

test('the team sees a rating in the thread at once, and after the customer has written again', async () => {
  const ada = await openDashboard(scene)
  const { page } = await visitShop(scene)
  const { chat, sendMessage } = await start(page, 'The velvet curtain')
  await openConversation(ada.page, 'velvet curtain')
  const { id } = await find('velvet')
  await asAda('PUT', `/api/conversations/${id}`, { conversation: { status: 'closed' } })
  await chat.getByRole('button', { name: 'Great' }).click()
  await expect(ada.page.getByText('Rated 5 of 5')).toBeVisible()
  await chat.getByPlaceholder('Anything you would like to add?').fill('Lovely people')
  await chat.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(ada.page.getByText('Lovely people')).toBeVisible()
  await sendMessage('One thing more')
  await expect(ada.page.getByPlaceholder('Write a reply')).toBeVisible()
  await expect(ada.page.getByText('Rated 5 of 5')).toBeVisible()
})
