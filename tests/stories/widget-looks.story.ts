import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, openChat, openDashboard, type Scene, setScene, visitShop } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

/** Saves widget settings as the team does. */
const save = (widget_settings: object) =>
  call(scene.url, 'PUT', '/api/widget_settings', { widget_settings }, scene.token)

test('title, subtitle, greeting, placeholder, logo and colour are those of the settings', async () => {
  await save({
    title: 'Ask Acme',
    subtitle: 'We know lamps',
    greeting: `Hello, **friend**!${'\n\nWhat would you like to know?'.repeat(12)}`,
    new_message_placeholder: `Write here${', and do not forget the number of your order'.repeat(2)}`,
    color: '#ffd21f',
    logo: `${scene.url}/favicon.svg`,
  })
  const { page, faults } = await visitShop(scene)
  await page.getByRole('button', { name: 'Open chat widget' }).click()
  const chat = page.frameLocator('iframe')
  await expect(chat.getByRole('heading', { name: 'Ask Acme' })).toBeVisible()
  await expect(chat.getByText('We know lamps')).toBeVisible()
  await expect(chat.locator('strong', { hasText: 'friend' })).toBeVisible()
  const write = chat.getByPlaceholder(/^Write here/)
  await expect(write).toBeFocused()
  await expect(chat.locator('header img')).toHaveAttribute('src', `${scene.url}/favicon.svg`)
  // Yellow carries black text.
  expect(await chat.locator('header').evaluate((header) => getComputedStyle(header).color)).toBe('rgb(0, 0, 0)')
  // The long placeholder comes back when the text is deleted, without overflowing.
  // Typing reaches the composer, even where it could not be focused.
  await chat.getByText('We know lamps').click()
  await expect(write).not.toBeFocused()
  await page.keyboard.type('What is new stays in view')
  await write.press('Enter')
  await expect(chat.getByText('What is new stays in view')).toBeInViewport({ ratio: 1 })
  await save({ title: null, subtitle: null, greeting: null, new_message_placeholder: null, color: null, logo: null })
  expect(faults).toEqual([])
})

test('suggested replies are sent with one tap and then disappear', async () => {
  await save({ quick_reply_options: 'Where is my order?, Opening hours , ' })
  const { page } = await visitShop(scene)
  const { chat, log } = await openChat(page)
  await expect(chat.getByRole('list', { name: 'Suggested replies' }).getByRole('button')).toHaveText([
    'Where is my order?',
    'Opening hours',
  ])
  await chat.getByRole('button', { name: 'Opening hours' }).click()
  await expect(log).toContainText('Opening hours')
  await expect(log).toContainText('Sent')
  await expect(chat.getByRole('list', { name: 'Suggested replies' })).toHaveCount(0)
  await save({ require_name_upfront: true })
  const other = await openChat((await visitShop(scene)).page)
  const write = other.chat.getByPlaceholder('Start typing...')
  await write.fill('What was being written')
  await other.chat.getByRole('button', { name: 'Opening hours' }).click()
  await other.chat.getByLabel('Name').fill('Carla')
  await other.chat.getByLabel('Name').press('Enter')
  await expect(other.log).toContainText('Opening hours')
  await expect(write).toHaveValue('What was being written')
  await save({ quick_reply_options: null, require_name_upfront: false })
})

test.each([
  ['require_name_upfront', 'Name', ' ', 'Please tell us your name.', 'Carla'],
  ['require_email_upfront', 'E-mail', 'carla', 'Please enter a valid e-mail address.', 'carla@customer.test'],
  ['require_phone_upfront', 'Phone', 'none', 'Please enter a valid phone number.', '+1 555 0100'],
])(
  'with %s the first message waits for the visitor’s details, is kept on an error, and is then sent',
  async (setting, label, wrong, fault, right) => {
    await save({ [setting]: true })
    const { page } = await visitShop(scene)
    const { chat, log, sendMessage } = await openChat(page)
    const field = chat.getByLabel(label)
    await expect(field).toBeVisible()
    await sendMessage('My lamp hums')
    await expect(chat.getByText(fault)).toBeVisible()
    await expect(field).toBeFocused()
    await field.fill(wrong)
    await field.press('Enter')
    await expect(chat.getByText(fault)).toBeVisible()
    await expect(chat.getByPlaceholder('Start typing...')).toHaveValue('My lamp hums')
    await field.fill(right)
    await field.press('Enter')
    await expect(log).toContainText('My lamp hums')
    await expect(log).toContainText('Sent')
    await expect(field).toHaveCount(0)
    const { data } = await call(scene.url, 'GET', '/api/conversations', undefined, scene.token)
    expect(JSON.stringify(data[0].customer)).toContain(right)
    await save({ [setting]: false })
  },
)

test('name, e-mail and phone are asked together, and not again after a reload', async () => {
  await save({ require_name_upfront: true, require_email_upfront: true, require_phone_upfront: true })
  const { page } = await visitShop(scene)
  const { chat, log } = await openChat(page)
  await chat.getByLabel('Name').fill('Carla')
  await chat.getByLabel('E-mail').fill('carla@customer.test')
  await chat.getByLabel('Phone').fill('5550100')
  await chat.getByRole('button', { name: 'Continue' }).click()
  await expect(chat.getByLabel('Name')).toHaveCount(0)
  await page.reload()
  const again = await openChat(page)
  await expect(again.chat.getByLabel('Name')).toHaveCount(0)
  await again.sendMessage('Hello from Carla')
  await expect(again.log).toContainText('Sent')
  expect(await log.count()).toBe(1)
  await save({ require_name_upfront: false, require_email_upfront: false, require_phone_upfront: false })
})

test('voice and files are offered unless the settings hide them', async () => {
  const first = await openChat((await visitShop(scene)).page)
  await expect(first.chat.getByRole('button', { name: 'Attach files' })).toBeVisible()
  await expect(first.chat.getByRole('button', { name: 'Record a voice message' })).toBeVisible()
  await save({ is_hide_voice: true, is_hide_attachments: true })
  const second = await openChat((await visitShop(scene)).page)
  await expect(second.chat.getByRole('button', { name: 'Emoji' })).toBeVisible()
  await expect(second.chat.getByRole('button', { name: 'Attach files' })).toHaveCount(0)
  await expect(second.chat.getByRole('button', { name: 'Record a voice message' })).toHaveCount(0)
  await save({ is_hide_voice: false, is_hide_attachments: false })
})

test('outside working hours the away message replaces the greeting, unless somebody is online', async () => {
  await save({ greeting: 'Hello!', away_message: 'We sleep now.' })
  await call(
    scene.url,
    'PUT',
    '/api/accounts/me',
    { account: { time_zone: 'Europe/Lisbon', working_hours: [] } },
    scene.token,
  )
  const { page } = await visitShop(scene)
  const { log } = await openChat(page)
  await expect(log).toContainText('We sleep now.')
  await expect(log).not.toContainText('Hello!')
  await openDashboard(scene)
  await expect(log).toContainText('Hello!')
  await save({ greeting: null, away_message: null })
})

test('the availability of agents is shown before the first message, in both texts', async () => {
  await save({
    show_agent_availability: true,
    agent_available_text: 'We are online!',
    agent_unavailable_text: 'We are currently unavailable.',
  })
  const { page } = await visitShop(scene)
  const { chat } = await openChat(page)
  await expect(chat.getByText('We are currently unavailable.')).toBeVisible()
  const ada = await openDashboard(scene)
  await expect(chat.getByText('We are online!')).toBeVisible()
  // An offline visitor cannot know whether the team is.
  await page.context().setOffline(true)
  await expect(chat.getByText('You’re offline.')).toBeVisible()
  await expect(chat.getByText('We are online!')).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(chat.getByText('We are online!')).toBeVisible()
  await ada.page.context().close()
  await expect(chat.getByText('We are currently unavailable.')).toBeVisible()
  await save({ show_agent_availability: false })
})

test('with the company’s profile only, nobody is shown by name', async () => {
  await save({ use_company_profile_only: true, name: 'Lumen' })
  const { page } = await visitShop(scene)
  const { log, sendMessage } = await openChat(page)
  await sendMessage('Who is there?')
  await expect(log).toContainText('Sent')
  const { data } = await call(scene.url, 'GET', '/api/conversations?q=Who%20is%20there', undefined, scene.token)
  const message = { conversation_id: data[0].id, body: 'Somebody is.' }
  await call(scene.url, 'POST', '/api/messages', { message }, scene.token)
  await expect(log).toContainText('Somebody is.')
  await expect(log.getByText('Lumen')).toBeVisible()
  await expect(log.getByText('ada', { exact: true })).toHaveCount(0)
  await save({ use_company_profile_only: false, name: null })
})

test('our name below the composer is hidden by a setting', async () => {
  const first = await openChat((await visitShop(scene)).page)
  await expect(first.chat.getByText('Powered by Parley')).toBeVisible()
  await save({ is_branding_hidden: true })
  const second = await openChat((await visitShop(scene)).page)
  await expect(second.chat.getByText('Powered by Parley')).toHaveCount(0)
  await save({ is_branding_hidden: false })
})

/** Sends a message of the surrounding page to the chat in its frame. */
const postToFrame = (page: Page, event: string, payload: object) =>
  page.evaluate(
    ([message, origin]) => {
      const frame = document.querySelector('#PapercupsChatWidget')?.shadowRoot?.querySelector('iframe')
      frame?.contentWindow?.postMessage(message, origin as string)
    },
    [{ event, payload }, scene.url] as const,
  )

test('changes by the page while the chat is open are shown at once', async () => {
  const { page } = await visitShop(scene)
  const { chat, log } = await openChat(page)
  await expect(chat.getByRole('button', { name: 'Record a voice message' })).toBeVisible()
  await postToFrame(page, 'config:update', {
    title: 'Another title',
    greeting: 'Another greeting',
    primaryColor: '#000000',
    isHideVoice: true,
    quickReplyOptions: 'One, Two',
    language: 'vi',
    baseUrl: 'https://evil.test',
  })
  await expect(chat.getByRole('heading', { name: 'Another title' })).toBeVisible()
  await expect(log).toContainText('Another greeting')
  await expect(chat.getByRole('button', { name: 'Two' })).toBeVisible()
  await expect(chat.getByPlaceholder('Nhập tin nhắn...')).toBeVisible()
  await expect(chat.getByRole('button', { name: 'Ghi âm tin nhắn thoại' })).toHaveCount(0)
  await expect(chat.locator('header')).toHaveCSS('background-color', 'rgb(0, 0, 0)')
})

test('the greeting is shown beside the closed chat if the page requests it, and a click opens the chat', async () => {
  await save({ greeting: 'Can I help you?', new_messages_notification_text: 'Answer' })
  const { page } = await visitShop(scene)
  const { chat } = await openChat(page)
  await page.getByRole('button', { name: 'Close chat widget' }).click()
  await postToFrame(page, 'notifications:display', { shouldDisplayNotifications: true, popUpInitialMessage: true })
  await expect(chat.getByRole('button', { name: 'Can I help you?' })).toBeVisible()
  await chat.getByRole('button', { name: 'Answer' }).click()
  await expect(chat.getByPlaceholder('Start typing...')).toBeVisible()
  await save({ greeting: null, new_messages_notification_text: null })
})

test('a message that is not on screen plays a quiet sound, and one on screen does not', async () => {
  const { page } = await visitShop(scene)
  await page.addInitScript(() => {
    HTMLMediaElement.prototype.play = async function () {
      console.log(`played ${this.src} ${this.volume}`)
    }
  })
  await page.reload()
  const { log, sendMessage } = await openChat(page)
  await sendMessage('Ring me about the chandelier')
  await expect(log).toContainText('Sent')
  // The visitor's first gesture plays it unheard, so that it may be played later.
  const chat = page.frames().find((candidate) => candidate.url().includes('/chat'))!
  await expect.poll(() => chat.evaluate(() => window.onkeydown)).toBe(null)
  const played: string[] = []
  page.on('console', (line) => line.text().startsWith('played') && played.push(line.text()))
  const { data } = await call(scene.url, 'GET', '/api/conversations?q=chandelier', undefined, scene.token)
  const answer = (body: string) =>
    call(scene.url, 'POST', '/api/messages', { message: { conversation_id: data[0].id, body } }, scene.token)
  await answer('Looked at')
  await expect(log).toContainText('Looked at')
  expect(played).toEqual([])
  await page.getByRole('button', { name: 'Close chat widget' }).click()
  await answer('Not looked at')
  await expect.poll(() => played).toEqual([`played ${scene.url}/alert.mp3 0.2`])
})

test('where sounds need a gesture first, the visitor’s first one in the chat allows those of later answers', async () => {
  const { page } = await visitShop(scene)
  await page.addInitScript(() => {
    const allowed = new WeakSet()
    let ends: ReturnType<typeof setTimeout>
    const begin = () => {
      clearTimeout(ends)
      Reflect.set(window, 'isGesture', true)
      ends = setTimeout(() => Reflect.set(window, 'isGesture', false), 2_000)
    }
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, begin, true)
    HTMLMediaElement.prototype.play = async function () {
      if (Reflect.get(window, 'isGesture')) allowed.add(this)
      console.log(allowed.has(this) ? 'played' : 'refused')
      if (!allowed.has(this)) throw new DOMException('A gesture comes first.', 'NotAllowedError')
    }
  })
  await page.reload()
  const { log, sendMessage } = await openChat(page)
  await sendMessage('Ring me about the sconce')
  await expect(log).toContainText('Sent')
  await page.getByRole('button', { name: 'Close chat widget' }).click()
  const frame = page.frames().find((candidate) => candidate.url().includes('/chat'))!
  await expect.poll(() => frame.evaluate(() => Reflect.get(window, 'isGesture'))).toBe(false)
  const played: string[] = []
  page.on('console', (line) => /^(played|refused)$/.test(line.text()) && played.push(line.text()))
  const { data } = await call(scene.url, 'GET', '/api/conversations?q=sconce', undefined, scene.token)
  const message = { conversation_id: data[0].id, body: 'Not looked at' }
  await call(scene.url, 'POST', '/api/messages', { message }, scene.token)
  await expect.poll(() => played).toEqual(['played'])
})
