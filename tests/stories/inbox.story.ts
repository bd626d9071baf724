import { afterAll, beforeAll, describe, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import {
  ADA,
  call,
  expectNoFindings,
  openChat,
  openConversation,
  openDashboard,
  openSignedIn,
  pauseClock,
  type Scene,
  setScene,
  visitShop,
  writeInShop,
} from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
  for (const text of ['first question', 'second question', 'third question']) {
    const shop = await writeInShop(scene, text)
    await shop.context().close()
  }
})
afterAll(() => scene.close())

test('registration checks in the order of the specification and leads to the first page', async () => {
  const { page } = await openPage(scene.browser)
  await page.goto(`${scene.url}/register`)
  const submit = page.getByRole('button', { name: 'Register' })
  await submit.click()
  await expect(page.getByText('Company name is required')).toBeVisible()
  await page.getByLabel('Company name').fill('Third')
  await submit.click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await page.getByLabel('Email').fill('thea@third.test')
  await submit.click()
  await expect(page.getByText('Password is required')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('short')
  await submit.click()
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('long enough now')
  await submit.click()
  await expect(page.getByText('Password confirmation does not match')).toBeVisible()
  await expectNoFindings(page)
  await page.getByLabel('Confirm password').fill('long enough now')
  await submit.click()
  await expect(page).toHaveURL(/getting-started/)
  await page.goto(`${scene.url}/conversations/all`)
  await expect(page.getByText('It looks like no channels have been set up yet!')).toBeVisible()
})

test('the list never shows the formatting characters of an answer', async () => {
  const { data } = await call(scene.url, 'GET', '/api/conversations', undefined, scene.token)
  const message = { conversation_id: data[0].id, body: '**Yes**, until `Friday`' }
  await call(scene.url, 'POST', '/api/messages', { message }, scene.token)
  const { page } = await openSignedIn(scene, '/login')
  await page.addInitScript(() => {
    const look = () =>
      document.body?.innerText.includes('**Yes') && document.documentElement.setAttribute('data-raw', '')
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  })
  await page.goto(`${scene.url}/conversations/all`)
  await expect(page.getByRole('link').filter({ hasText: 'Yes, until Friday' })).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-raw')
})

test('a wrong password says so, and a page asked for before signing in opens after it', async () => {
  const { page } = await openPage(scene.browser)
  await page.goto(`${scene.url}/conversations/closed`)
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await page.getByLabel('Email').fill(ADA.email)
  await page.getByLabel('Password', { exact: true }).fill('not this one')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Invalid email or password')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/conversations\/closed$/)
})

test('an agent assigns, prioritizes, closes and reopens', async () => {
  const { page, faults } = await openDashboard(scene)
  await openConversation(page, 'first question')
  await page.getByRole('button', { name: /priority|prioriti/i }).click()
  await page.getByRole('button', { name: /^Close/ }).click()
  await expect(page.getByRole('link').filter({ hasText: 'first question' })).toHaveCount(0)
  await page.getByRole('link', { name: /^Closed/ }).click()
  await openConversation(page, 'first question')
  await expect(page.getByText('Conversation closed!')).toBeVisible()
  await page
    .getByRole('button', { name: /reopen/i })
    .first()
    .click()
  await expect(page.getByText('Conversation re-opened!')).toBeVisible()
  expect(faults).toEqual([])
})

test('the list can be used with the keyboard', async () => {
  const { page } = await openDashboard(scene)
  await page.keyboard.press('Control+ArrowDown')
  await expect(page).toHaveURL(/\/conversations\/all\/[0-9a-f-]{36}$/)
  const first = page.url()
  await page.keyboard.press('Control+ArrowDown')
  await expect(page).not.toHaveURL(first)
  await page.keyboard.press('Control+ArrowUp')
  await expect(page).toHaveURL(first)
  // Walking through the list keeps the focus in the editor.
  const write = page.getByPlaceholder('Write a reply')
  await write.focus()
  await page.keyboard.press('Control+ArrowDown')
  await expect(page).not.toHaveURL(first)
  await expect(write).toBeFocused()
})

test('a reply to an outdated view is held back until it is sent anyway', async () => {
  const { page } = await openDashboard(scene)
  const visitor = await visitShop(scene)
  const { sendMessage } = await openChat(visitor.page)
  await sendMessage('does it come in green?')
  await openConversation(page, 'does it come in green?')
  await expect(page.getByRole('log')).toContainText('does it come in green?')
  // The agent's page opens a new socket and cannot join with it, while calls still get through. Cutting the network
  // instead would sometimes let the old socket receive the missed events as soon as the network is back.
  await page.route('**/api/events**', (route) => route.abort())
  await page.evaluate(() => {
    WebSocket.prototype.send = () => undefined
    dispatchEvent(new Event('online'))
  })
  await sendMessage('never mind, I will take the blue one')
  await expect.poll(() => visitor.frames.join()).toContain('never mind')
  await expect(page.getByRole('log')).not.toContainText('never mind')
  await page.getByPlaceholder('Write a reply').fill('Yes, in two greens.')
  await page.getByPlaceholder('Write a reply').press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Send anyway' })).toBeVisible()
  await expect(page.getByText('never mind, I will take the blue one').first()).toBeVisible()
  await page.getByRole('button', { name: 'Send anyway' }).click()
  await expect.poll(() => visitor.frames.join()).toContain('Yes, in two greens.')
})

test('a reply written before the thread has loaded is sent when the connection is back, and is not held back', async () => {
  const visitor = await visitShop(scene)
  const { sendMessage } = await openChat(visitor.page)
  await sendMessage('do you wrap presents?')
  const { page } = await openDashboard(scene)
  await expect(page.getByText('do you wrap presents?').first()).toBeVisible()
  // The messages of a conversation are fetched when it is opened; the list already has the last one.
  await page.route(/\/api\/messages\?/, (route) => route.abort())
  await openConversation(page, 'do you wrap presents?')
  await expect(page.getByRole('log')).toHaveCount(0)
  await page.getByPlaceholder('Write a reply').fill('We do, in brown paper.')
  await page.context().setOffline(true)
  await page.getByPlaceholder('Write a reply').press('Control+Enter')
  await expect(page.getByPlaceholder('Write a reply')).toHaveValue('')
  await page.unrouteAll()
  await page.context().setOffline(false)
  await expect.poll(() => visitor.frames.join()).toContain('We do, in brown paper.')
  await expect(page.getByRole('log').getByText('We do, in brown paper.')).toBeVisible()
})

test('a conversation that could not be loaded without a connection appears when it is back', async () => {
  const visitor = await visitShop(scene)
  const { sendMessage } = await openChat(visitor.page)
  await sendMessage('is the shop open on Sunday?')
  const { page } = await openDashboard(scene)
  await expect(page.getByText('is the shop open on Sunday?').first()).toBeVisible()
  await page.context().setOffline(true)
  await openConversation(page, 'is the shop open on Sunday?')
  await expect(page.getByText('The messages could not be loaded')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('log').getByText('is the shop open on Sunday?')).toBeVisible()
})

test('a connection that stays lost is reported, at most every half minute, until it is back', async () => {
  const { page } = await openDashboard(scene)
  await page.clock.install()
  await page.addInitScript(() => {
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(Reflect.get(window, 'isBack') ? url : String(url).replace('/socket/', '/nowhere/'), protocols)
      }
    }
  })
  await page.reload()
  const notice = page.getByRole('alert').filter({ hasText: 'Error connecting to socket. Try refreshing the page.' })
  const countAfter = async (seconds: number) => {
    await page.clock.runFor(seconds * 1000)
    return notice.count()
  }
  await expect.poll(() => countAfter(1)).toBe(1)
  await pauseClock(page)
  await notice.getByRole('button', { name: 'Close' }).click()
  // With the seconds up to here, well within the half minute; connecting is tried every five seconds.
  for (let second = 0; second < 15; second++) expect(await countAfter(1)).toBe(0)
  await expect.poll(() => countAfter(1), { timeout: 30_000 }).toBe(1)
  await page.evaluate(() => Reflect.set(window, 'isBack', true))
  await expect.poll(() => countAfter(1)).toBe(0)
  await page.clock.resume()
  await expect(page.getByText('Live', { exact: true }).first()).toBeAttached()
})

test('a customer’s page visits are shown in the thread, also when it is opened later', async () => {
  const visitor = await visitShop(scene)
  const { sendMessage, log } = await openChat(visitor.page)
  await sendMessage('which of these is warmer?')
  await expect(log).toContainText('Sent')
  const { page } = await openDashboard(scene)
  // The server's earlier answer arrives after the event that the customer has moved on.
  let isHeld = true
  await page.route('**/page_visits', async (route) => {
    const response = await route.fetch()
    if (isHeld) await expect.poll(() => isHeld).toBe(false)
    await route.fulfill({ response })
  })
  const request = page.waitForRequest('**/page_visits')
  await openConversation(page, 'which of these is warmer?')
  await request
  await visitor.page.goto(`${scene.shop}/?lamps`)
  // The chat reopens behind its button and reports its page.
  await expect(page.getByRole('link', { name: /lamps/ })).toBeVisible()
  isHeld = false
  const line = page.getByRole('log').getByText(/^Now on .*lamps/)
  await expect(line).toBeVisible({ timeout: 15_000 })
  await page.reload()
  await expect(line).toBeVisible({ timeout: 15_000 })
})

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test.each([1440, 390])('axe finds nothing at %i pixels', async (width) => {
    const signIn = await openPage(scene.browser, { colorScheme, viewport: { width, height: 844 } })
    await signIn.page.goto(scene.url)
    await expect(signIn.page.getByLabel('Email')).toBeVisible()
    await expectNoFindings(signIn.page)
    const { page } = await openDashboard(scene, { colorScheme, viewport: { width, height: 844 } })
    await expectNoFindings(page)
    await openConversation(page, 'second question')
    await expect(page.getByPlaceholder('Write a reply')).toBeVisible()
    await expectNoFindings(page)
  })

  test('axe finds nothing in the open chat', async () => {
    const { page } = await visitShop(scene, { colorScheme })
    const { sendMessage, log } = await openChat(page)
    await sendMessage('hello')
    await expect(log).toContainText('Sent')
    await expectNoFindings(page)
  })
})
