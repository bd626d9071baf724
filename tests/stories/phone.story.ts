import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openChat, openSignedIn, type Scene, setScene, visitShop } from './scene.ts'
import { listUnreachable, SMALL_PHONE } from './thumb.ts'

/** The dashboard on a small phone, used with one thumb. */

let scene: Scene
let id: string
beforeAll(async () => {
  scene = await setScene({}, { RATE_LIMITS: 'off' })
  id = await startConversation('Jane')
  await startConversation('Kim')
  await post('/api/canned_responses', { canned_response: { name: 'hello', content: 'Hello, how can we help?' } })
  await post('/api/tags', { tag: { name: 'refund' } })
})
afterAll(() => scene.close())

const post = (path: string, body: object) => call(scene.url, 'POST', path, body, scene.token)

async function startConversation(name: string): Promise<string> {
  const { account_id } = scene
  const customer = await post('/api/customers', {
    customer: { account_id, name, email: `${name.toLowerCase()}@x.test` },
  })
  const customer_id: string = customer.data.id
  const { data } = await post('/api/conversations', { conversation: { account_id, customer_id } })
  await post('/api/messages', { message: { conversation_id: data.id, customer_id, body: `question of ${name}` } })
  await post('/api/messages', {
    message: { conversation_id: data.id, body: `answer to ${name}, which has a few more words` },
  })
  return data.id
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().tap()
const writing = (page: Page) => page.getByPlaceholder('Write a reply')

interface Visited {
  path: () => string
  /** What is done there. */
  open?: (page: Page) => Promise<unknown>
  /** A text that is on screen then. */
  shows: string
}

/** Screens of an agent's work by name. */
const SCREENS = Object.entries<Visited>({
  'the list': { path: () => '/conversations/all', shows: 'Search messages...' },
  'choosing conversations': {
    path: () => '/conversations/all',
    open: (page) => press(page, /^Select/),
    shows: '0 selected',
  },
  'the views': { path: () => '/conversations/all', open: (page) => press(page, 'Views'), shows: 'Snoozed' },
  'a conversation': { path: () => `/conversations/all/${id}`, shows: 'question of Jane' },
  'a message and its actions': {
    path: () => `/conversations/all/${id}`,
    open: (page) => page.getByText('question of Jane').tap(),
    shows: 'Move to a new conversation',
  },
  'a note': {
    path: () => `/conversations/all/${id}`,
    open: (page) => page.getByText('Note', { exact: true }).tap(),
    shows: 'Only your team sees this',
  },
  'saved replies': {
    path: () => `/conversations/all/${id}`,
    open: (page) => writing(page).pressSequentially('/'),
    shows: 'Hello, how can we help?',
  },
  emoji: { path: () => `/conversations/all/${id}`, open: (page) => press(page, 'Emoji'), shows: 'Smileys' },
  macros: {
    path: () => `/conversations/all/${id}`,
    open: (page) => press(page, /macro/),
    shows: 'There are no macros yet',
  },
  'sending later': {
    path: () => `/conversations/all/${id}`,
    open: async (page) => {
      await writing(page).fill('later')
      await press(page, /^Send later/)
    },
    shows: 'Send and close',
  },
  snoozing: { path: () => `/conversations/all/${id}`, open: (page) => press(page, 'Snooze'), shows: 'Pick a time' },
  assigning: { path: () => `/conversations/all/${id}`, open: (page) => press(page, /^Assignee/), shows: 'No assignee' },
  'the customer': {
    path: () => `/conversations/all/${id}`,
    open: (page) => press(page, 'Customer details'),
    shows: 'Customer tags',
  },
  more: { path: () => '/conversations/all', open: (page) => press(page, 'More'), shows: 'Notify me about' },
  'my profile': { path: () => '/settings/profile', shows: 'Display name' },
})

test.for(SCREENS)('on a small phone a thumb reaches everything: %s', async ([, { path, open, shows }]) => {
  const { page, faults } = await openSignedIn(scene, path(), SMALL_PHONE)
  await expect(page.getByText('Jane', { exact: true }).or(page.getByLabel('Display name')).first()).toBeVisible()
  await open?.(page)
  const shown = page.getByText(shows).or(page.getByPlaceholder(shows)).or(page.getByLabel(shows))
  await expect(shown.filter({ visible: true }).first()).toBeVisible()
  // Menus and sheets move to where they stay.
  await expect
    .poll(() => page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length))
    .toBe(0)
  await expect.poll(() => listUnreachable(page)).toEqual([])
  await expectNoFindings(page)
  expectValue(faults).toEqual([])
  await page.context().close()
})

/** A phone held sideways, and text at twice its size. */
const HELD = Object.entries<{ options: object; textSize?: string }>({
  'held sideways': { options: { ...SMALL_PHONE, viewport: { width: 640, height: 360 } } },
  'held sideways, a large one': { options: { ...SMALL_PHONE, viewport: { width: 844, height: 390 } } },
  'with text at 200 %': { options: SMALL_PHONE, textSize: '200%' },
})

test.for(HELD)('on a phone %s an agent reads and answers as well', async ([, { options, textSize }]) => {
  const { page, faults } = await openSignedIn(scene, '/conversations/all', options)
  if (textSize) {
    const enlarge = (size: string) => document.documentElement.style.setProperty('font-size', size)
    await page.evaluate(enlarge, textSize)
  }
  const row = page.locator(`a[href="/conversations/all/${id}"]`)
  await expect(row).toBeVisible()
  await expect.poll(() => listUnreachable(page)).toEqual([])
  await row.tap()
  await expect(page.getByRole('heading', { name: 'Jane' })).toBeInViewport()
  await writing(page).fill('one\ntwo\nthree\nfour\nfive')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('answer to Jane')).toBeInViewport()
  await expect.poll(() => listUnreachable(page)).toEqual([])
  expectValue(faults).toEqual([])
  await page.context().close()
})

test('a keyboard that covers the page instead of shrinking it leaves the composer above it', async () => {
  const { page } = await openSignedIn(scene, `/conversations/all/${id}`, SMALL_PHONE)
  await expect(writing(page)).toBeVisible()
  const send = page.getByRole('button', { name: 'Send', exact: true })
  const bottomOf = async () => {
    const { y, height } = (await send.boundingBox())!
    return y + height
  }
  const show = (height: number) =>
    page.evaluate((height) => {
      Object.defineProperty(window.visualViewport, 'height', { configurable: true, value: height })
      window.visualViewport!.dispatchEvent(new Event('resize'))
    }, height)
  await show(380)
  await expect.poll(bottomOf).toBeLessThan(380)
  await expect(page.getByText('answer to Jane')).toBeInViewport()
  await show(640)
  await expect.poll(bottomOf).toBeGreaterThan(560)
  await page.context().close()
})

test('on a phone a message is attached from its files or taken with the camera', async () => {
  const { page } = await openSignedIn(scene, `/conversations/all/${id}`, SMALL_PHONE)
  for (const [name, file, multiple] of [
    ['Take a photo', 'photo.txt', false],
    ['Choose files', 'plan.txt', true],
  ] as const) {
    await press(page, /^Attach files/)
    const opened = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name }).tap()
    const chooser = await opened
    expectValue(chooser.isMultiple()).toBe(multiple)
    await chooser.setFiles([{ name: file, mimeType: 'text/plain', buffer: Buffer.from('x') }])
    await expect(page.getByText(file)).toBeVisible()
  }
  await page.context().close()
})

test('where the browser offers it, one line installs the dashboard as an app; closed, it stays away', async () => {
  const { page, faults } = await openSignedIn(scene, '/conversations/all', SMALL_PHONE)
  const line = page.getByRole('complementary', { name: 'Parley as an app' })
  const offer = () =>
    page.evaluate(() => {
      const prompt = async () => {
        document.documentElement.dataset.prompted = 'yes'
        return { outcome: 'accepted' }
      }
      window.dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }))
    })
  await expect(page.getByText('Jane', { exact: true })).toBeVisible()
  await expect(line).toBeHidden()
  await offer()
  await expect(line).toBeVisible()
  await expect.poll(() => listUnreachable(page)).toEqual([])
  await expectNoFindings(page)
  await line.getByRole('button', { name: 'Close' }).tap()
  await expect(line).toBeHidden()
  await page.reload()
  await expect(page.getByText('Jane', { exact: true })).toBeVisible()
  await offer()
  await expect(line).toBeHidden()

  await page.goto(`${scene.url}/settings/profile`)
  await expect(page.getByText('If this browser can install it')).toBeVisible()
  await offer()
  await page.getByRole('button', { name: 'Install', exact: true }).tap()
  await expect(page.locator('html')).toHaveAttribute('data-prompted', 'yes')
  await page.evaluate(() => window.dispatchEvent(new Event('appinstalled')))
  await expect(page.getByText('It is installed on this device.')).toBeVisible()
  expectValue(faults).toEqual([])
  await page.context().close()
})

test('on an iPhone the line says how the share menu installs it', async () => {
  const { page } = await openSignedIn(scene, '/conversations/all', SMALL_PHONE)
  await page.addInitScript(() => {
    Object.assign(navigator, { standalone: false })
    Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 })
  })
  await page.reload()
  await expect(page.getByText('tap Share, then “Add to Home Screen”')).toBeVisible()
  await expect.poll(() => listUnreachable(page)).toEqual([])
  await page.context().close()
})

test('on a touch screen several conversations are chosen by their checkboxes', async () => {
  const { page } = await openSignedIn(scene, '/conversations/all', SMALL_PHONE)
  await press(page, /^Select/)
  for (const [name, count] of [
    ['Jane', '1 selected'],
    ['Kim', '2 selected'],
  ] as const) {
    await page.getByRole('checkbox', { name: `Select the conversation with ${name}` }).tap()
    await expect(page.getByText(count)).toBeVisible()
  }
  await press(page, 'Mark as unread')
  await expect.poll(async () => (await read(id)).read).toBe(false)
  await page.context().close()
})

/** Moves a finger over the page from a point, step by step, and lifts it. */
async function swipe(page: Page, from: { x: number; y: number }, dx: number, dy = 0) {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part = 0) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: from.x + dx * part, y: from.y + dy * part }],
    })
  await touch('touchStart')
  for (let step = 1; step <= 10; step++) await touch('touchMove', step / 10)
  await touch('touchEnd')
}

const read = async (conversation_id: string) =>
  (await call(scene.url, 'GET', `/api/conversations/${conversation_id}`, undefined, scene.token)).data

test('a row that is swiped right is closed, and left snoozed until tomorrow; both can be undone', async () => {
  const swiped = await startConversation('Lou')
  const { page, faults } = await openSignedIn(scene, '/conversations/all', SMALL_PHONE)
  const row = page.locator(`a[href="/conversations/all/${swiped}"]`)
  const middle = async () => {
    await expect(row).toBeVisible()
    const { x, y, width, height } = (await row.boundingBox())!
    return { x: x + width / 2, y: y + height / 2 }
  }
  await swipe(page, await middle(), 140)
  await expect(row).toBeHidden()
  await expect.poll(async () => (await read(swiped)).status).toBe('closed')
  await press(page, /^Undo/)
  await expect.poll(async () => (await read(swiped)).status).toBe('open')

  await swipe(page, await middle(), -140)
  await expect(row).toBeHidden()
  await expect.poll(async () => (await read(swiped)).snoozed_until).not.toBeNull()
  await press(page, /^Undo/)
  await expect.poll(async () => (await read(swiped)).snoozed_at).toBeNull()
  await expect(row).toBeVisible()
  expectValue(faults).toEqual([])
  await page.context().close()
})

test('a closed conversation is reopened by a swipe to the right, and a snoozed one woken by one to the left; both can be undone', async () => {
  const swiped = await startConversation('Pia')
  const change = (conversation: object) =>
    call(scene.url, 'PUT', `/api/conversations/${swiped}`, { conversation }, scene.token)
  await change({ status: 'closed' })
  const { page, faults } = await openSignedIn(scene, '/conversations/closed', SMALL_PHONE)
  const swipeRow = async (dx: number) => {
    const row = page.locator(`a[href$="/${swiped}"]`)
    await expect(row).toBeVisible()
    const { x, y, width, height } = (await row.boundingBox())!
    await swipe(page, { x: x + width / 2, y: y + height / 2 }, dx)
  }
  await swipeRow(-140)
  await swipeRow(140)
  await expect.poll(async () => (await read(swiped)).status).toBe('open')
  await press(page, /^Undo/)
  await expect.poll(async () => (await read(swiped)).status).toBe('closed')
  await swipeRow(140)
  await expect.poll(async () => (await read(swiped)).status).toBe('open')

  const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 5 * 3_600_000).toISOString()
  await change({ snoozed: { until } })
  await page.goto(`${scene.url}/conversations/snoozed`)
  await swipeRow(-140)
  await expect.poll(async () => (await read(swiped)).snoozed_at).toBeNull()
  await press(page, /^Undo/)
  await expect
    .poll(async () => Date.parse((await read(swiped)).snoozed_until), 'undoing keeps the time that it had')
    .toBe(Date.parse(until))
  await swipeRow(-140)
  await expect.poll(async () => (await read(swiped)).snoozed_at).toBeNull()
  expectValue(faults).toEqual([])
  await page.context().close()
})

test('two fingers zoom everywhere: dashboard, chat and help pages', async () => {
  const blocking = () => {
    const content = document.querySelector<HTMLMetaElement>('meta[name="viewport"]')?.content ?? 'missing'
    const isLimited = /user-scalable\s*=\s*(no|0)|maximum-scale|missing/i.test(content)
    const held = [...document.querySelectorAll('*')].filter(
      (element) => !/auto|manipulation|pinch-zoom/.test(getComputedStyle(element).touchAction),
    )
    return [...(isLimited ? [content] : []), ...held.map((element) => `${element.tagName}.${element.className}`)]
  }
  await call(scene.url, 'PUT', '/api/help_center', { help_center: { slug: 'acme', is_published: true } }, scene.token)
  const { page } = await openSignedIn(scene, '/conversations/all', SMALL_PHONE)
  await expect(page.getByText('Jane', { exact: true })).toBeVisible()
  expectValue(await page.evaluate(blocking)).toEqual([])
  await page.goto(`${scene.url}/conversations/all/${id}`)
  await expect(writing(page)).toBeVisible()
  expectValue(await page.evaluate(blocking)).toEqual([])
  const shop = await visitShop(scene, SMALL_PHONE)
  const { chat } = await openChat(shop.page)
  await expect(chat.getByPlaceholder('Start typing...')).toBeVisible()
  for (const frame of shop.page.frames()) expectValue(await frame.evaluate(blocking), frame.url()).toEqual([])
  expectValue((await page.goto(`${scene.url}/help/acme`))?.status()).toBe(200)
  expectValue(await page.evaluate(blocking)).toEqual([])
  await page.context().close()
})

test('a short swipe, scrolling, and the browser’s gesture from the edge leave a row as it is', async () => {
  const kept = await startConversation('Max')
  const { page } = await openSignedIn(scene, '/conversations/all', SMALL_PHONE)
  const row = page.locator(`a[href="/conversations/all/${kept}"]`)
  await expect(row).toBeVisible()
  const { y, height } = (await row.boundingBox())!
  const point = { x: 180, y: y + height / 2 }
  await swipe(page, point, 60)
  await swipe(page, point, 140, 160)
  await swipe(page, { ...point, x: 8 }, 200)
  await swipe(page, { ...point, x: 352 }, -200)
  await expect(page).toHaveURL(/\/conversations\/all$/)
  await expect(row).toBeVisible()
  const { status, snoozed_at } = await read(kept)
  expectValue([status, snoozed_at]).toEqual(['open', null])
  await page.context().close()
})

test('offline an agent reads on and writes; each message is sent once, in order, also after a reload', async () => {
  const other = await startConversation('Nora')
  const { page } = await openSignedIn(scene, '/conversations/all', SMALL_PHONE)
  const visit = async (conversation_id: string, text: string) => {
    await page.locator(`a[href="/conversations/all/${conversation_id}"]`).tap()
    await expect(page.getByRole('log')).toContainText(text)
  }
  const back = () => page.getByRole('link', { name: 'Back' }).tap()
  await visit(other, 'question of Nora')
  await back()
  await visit(id, 'question of Jane')
  await page.context().setOffline(true)
  await expect(page.getByText('No connection. You see what was loaded last.')).toBeVisible()
  await back()
  await visit(other, 'question of Nora')
  await back()
  await visit(id, 'question of Jane')

  const write = async (text: string) => {
    await page.getByRole('textbox').last().fill(text)
    await page.getByRole('button', { name: /^(Send|Add note)$/ }).tap()
    await expect(page.getByRole('article').filter({ hasText: text }).getByText('kept in this browser')).toBeVisible()
  }
  await write('offline one')
  await write('offline two')
  await page.getByText('Note', { exact: true }).tap()
  await write('offline three, a note')
  await expect(page.getByText('3 messages will be sent later.')).toBeVisible()
  await expect.poll(() => listUnreachable(page)).toEqual([])
  await page.getByRole('article').filter({ hasText: 'offline two' }).getByRole('button', { name: 'Edit' }).tap()
  await expect(page.getByText('2 messages will be sent later.')).toBeVisible()
  await expect(page.getByPlaceholder('Write a reply')).toHaveValue('offline two')

  // The page comes back, and its messages do not get through yet.
  await page.route('**/api/messages', (route) => route.abort())
  await page.context().setOffline(false)
  await page.reload()
  await expect(page.getByRole('article').filter({ hasText: 'offline one' })).toBeVisible()
  await page.unrouteAll()
  const sent = async () => {
    const { messages } = await read(id)
    return messages.map(({ body }: { body: string }) => body).filter((body: string) => body.startsWith('offline'))
  }
  await expect.poll(sent).toEqual(['offline one', 'offline three, a note'])
  await expect(page.getByRole('article').filter({ hasText: 'offline one' })).toHaveCount(1)
  await page.context().close()
})
