import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import {
  call,
  findConversation,
  openChat,
  openDashboard,
  openSignedIn,
  type Scene,
  setScene,
  visitShop,
} from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene({}, {}, { isWhole: true })
})
afterAll(() => scene.close())

const send = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)
const answer = (conversation_id: string, body: string) =>
  send('POST', '/api/messages', { message: { conversation_id, body } })

/** A visitor writes; returns the id of the conversation as well. */
async function ask(page: Page, text: string) {
  const opened = await openChat(page)
  await opened.sendMessage(text)
  await expect(opened.log).toContainText('Sent')
  return { ...opened, id: (await findConversation(scene, text)).id as string }
}

test('undo takes back an inserted teammate or emoji, and the first Ctrl+Enter after one sends', async () => {
  const shop = await visitShop(scene)
  const { id } = await ask(shop.page, 'Undo this?')
  const { page, faults } = await openDashboard(scene)
  await page.goto(`${scene.url}/conversations/all/${id}`)
  const box = page.getByPlaceholder('Write a reply')
  await box.pressSequentially('So :thumbs')
  await expect(page.getByRole('option', { name: /thumbs_up/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(box).toHaveValue('So 👍 ')
  await page.keyboard.press('Control+z')
  await expect(box).toHaveValue('So :thumbs')
  await page.keyboard.press('Escape')
  await box.fill('Hello :smile')
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('log').getByText('Hello :smile')).toBeVisible()
  expectValue(faults).toEqual([])
})

test('an emoji that the visitor inserts can be undone', async () => {
  const { page } = await visitShop(scene)
  const { chat } = await openChat(page)
  const box = chat.getByPlaceholder('Start typing...')
  await box.pressSequentially('Hi ')
  await chat.getByRole('button', { name: 'Emoji' }).click()
  await chat.getByRole('button', { name: '😀' }).click()
  await expect(box).toHaveValue('Hi 😀')
  await page.keyboard.press('Control+z')
  await expect(box).toHaveValue('Hi ')
})

test('cells of a spreadsheet are pasted as text', async () => {
  const { page } = await visitShop(scene)
  const { chat } = await openChat(page)
  const box = chat.getByPlaceholder('Start typing...')
  const wasTaken = await box.evaluate((area) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'Lamp\t2')
    clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png' }))
    const paste = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData })
    area.dispatchEvent(paste)
    return paste.defaultPrevented
  })
  expectValue(wasTaken).toBe(false)
  await expect(chat.getByRole('list', { name: 'Attached files' })).toHaveCount(0)
})

test('one of several tabs plays a sound for an answer, and none plays it later', async () => {
  const shop = await visitShop(scene)
  const { id } = await ask(shop.page, 'Do you ring?')
  await shop.page.getByRole('button', { name: 'Close chat widget' }).click()
  const played: string[] = []
  const context = shop.page.context()
  await context.addInitScript(() => {
    HTMLMediaElement.prototype.play = async () => console.log('played')
  })
  context.on('console', (line) => line.text() === 'played' && played.push(line.text()))
  const tabs = [shop.page, await context.newPage(), await context.newPage()]
  for (const tab of tabs) {
    // What arrives before a tab listens is caught up with in silence.
    const isJoined = ({ payload }: { payload: string | Buffer }) => String(payload).includes(`conversation:${id}`)
    const joined = tab.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived', isJoined))
    await tab.goto(scene.shop)
    await joined
  }
  await answer(id, 'We do, once')
  for (const tab of tabs) await expect(tab.frameLocator('iframe').getByText('We do, once').first()).toBeAttached()
  await expect.poll(() => played.length).toBe(1)
  await tabs[2]!.reload()
  await expect(tabs[2]!.frameLocator('iframe').getByText('We do, once').first()).toBeAttached()
  expectValue(played).toEqual(['played'])
})

test('opening hours that end while the chat is open change its greeting within a minute', async () => {
  await send('PUT', '/api/widget_settings', { widget_settings: { greeting: 'Hello!', away_message: 'We sleep now.' } })
  const { page } = await openPage(scene.browser)
  await page.clock.install()
  await page.goto(scene.shop)
  const { log } = await openChat(page)
  await expect(log).toContainText('Hello!')
  await send('PUT', '/api/accounts/me', { account: { time_zone: 'Europe/Lisbon', working_hours: [] } })
  await page.clock.fastForward(61_000)
  await expect(log).toContainText('We sleep now.')
  await send('PUT', '/api/widget_settings', { widget_settings: { greeting: null, away_message: null } })
})

test('draft, file, scroll position and the open chat survive pages that replace or empty their body, over one socket', async () => {
  const { page, faults } = await visitShop(scene)
  let sockets = 0
  page.on('websocket', () => sockets++)
  const { chat, sendMessage } = await ask(page, 'Before the next page')
  await sendMessage(Array.from({ length: 60 }, (_, line) => `Line ${line}`).join('\n'))
  await chat
    .locator('input[type=file]')
    .setInputFiles({ name: 'lamp.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await chat.getByPlaceholder('Start typing...').fill('Half a sentence')
  const log = chat.getByRole('log')
  const thread = () => log.evaluate((element) => element.closest('[tabindex]')?.scrollTop)
  await log.evaluate((element) => element.closest('[tabindex]')!.scrollTo(0, 40))
  await expect.poll(thread).toBe(40)
  const opened = sockets
  const replaceBody = () => {
    const next = document.createElement('body')
    next.append('Another page')
    document.body.replaceWith(next)
  }
  for (const change of [replaceBody, () => document.body.replaceChildren('Morphed'), replaceBody]) {
    await page.evaluate(change)
    await expect(page.getByRole('button', { name: 'Close chat widget' })).toHaveAttribute('aria-expanded', 'true')
    await expect(chat.getByPlaceholder('Start typing...')).toHaveValue('Half a sentence')
    await expect(chat.getByRole('list', { name: 'Attached files' })).toContainText('lamp.txt')
    expectValue(await thread()).toBe(40)
  }
  expectValue(sockets).toBe(opened)
  expectValue(faults).toEqual([])
})

test('a chat whose element a page removes comes back with its draft', async () => {
  const { page } = await visitShop(scene)
  const { chat } = await openChat(page)
  await chat.getByPlaceholder('Start typing...').fill('Half a sentence')
  await page.evaluate(() => document.documentElement.replaceChildren(document.head, document.createElement('body')))
  await expect(chat.getByPlaceholder('Start typing...')).toHaveValue('Half a sentence')
})

test('beside a notch and above a bar of the phone the chat and its button leave room', async () => {
  const { page } = await openPage(scene.browser, {
    viewport: { width: 844, height: 390 },
    hasTouch: true,
    isMobile: true,
  })
  const session = await page.context().newCDPSession(page)
  const insets = { top: 0, bottom: 34, left: 47, right: 47 }
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets })
  await page.goto(scene.shop)
  const button = await page.getByRole('button', { name: 'Open chat widget' }).boundingBox()
  expectValue(390 - button!.y - button!.height).toBe(34)
})

test('a keyboard of a phone moves the chat with what is visible, and the page behind it stays still', async () => {
  const { page } = await openPage(scene.browser, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await page.addInitScript(() => {
    const visible = Object.assign(new EventTarget(), { height: 844, offsetTop: 0, scale: 1 })
    Object.defineProperty(window, 'visualViewport', { value: visible })
  })
  await page.goto(scene.shop)
  await openChat(page)
  const show = (change: object) =>
    page.evaluate((change) => {
      Object.assign(visualViewport!, change)
      visualViewport!.dispatchEvent(new Event('scroll'))
    }, change)
  const area = () => page.getByRole('dialog').boundingBox()
  const overflow = () => page.evaluate(() => document.documentElement.style.overflow)
  await expect.poll(area).toMatchObject({ y: 0, width: 390, height: 844 })
  expectValue(await overflow()).toBe('hidden')
  await show({ height: 460, offsetTop: 120 })
  await expect.poll(area).toMatchObject({ y: 120, height: 460 })
  // Zoomed in with two fingers: the chat stays where it is.
  await show({ height: 422, offsetTop: 200, scale: 2 })
  await expect.poll(area).toMatchObject({ y: 0, height: 844 })
  await show({ height: 160, offsetTop: 0, scale: 1 })
  await page.setViewportSize({ width: 844, height: 390 })
  await expect.poll(area).toMatchObject({ y: 0 })
  await page.frameLocator('iframe').getByRole('button', { name: 'Close chat' }).click()
  await expect.poll(overflow).toBe('')
})

test('a page that is isolated from other origins shows the chat', async () => {
  const site = createServer((_request, response) => {
    const headers = { 'content-type': 'text/html', 'cross-origin-embedder-policy': 'require-corp' }
    const script = `${scene.url}/widget.js?token=${scene.account_id}`
    response.writeHead(200, { ...headers, 'cross-origin-opener-policy': 'same-origin' })
    response.end(
      `<!doctype html><body><script>Parley={config:{token:'${scene.account_id}'}}</script><script src="${script}"></script>`,
    )
  })
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  try {
    const { page } = await openPage(scene.browser)
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}`)
    expectValue(await page.evaluate(() => crossOriginIsolated)).toBe(true)
    await ask(page, 'From an isolated page')
  } finally {
    site.close()
    site.closeAllConnections()
  }
})

/** What browsers do that translate a page: every text that may be translated is replaced. */
function translateAll() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    if (!text.parentElement?.translate || !text.data.trim()) continue
    const font = document.createElement('font')
    font.textContent = text.data.toUpperCase()
    text.replaceWith(font)
  }
}

test('a translated chat and dashboard go on: messages are translated, names and the rest are left alone', async () => {
  const shop = await visitShop(scene)
  const { id, log, sendMessage } = await ask(shop.page, 'Translate me')
  const ada = await openSignedIn(scene, `/conversations/all/${id}`)
  const thread = ada.page.getByRole('log')
  await expect(thread.getByText('Translate me')).toBeVisible()
  await answer(id, 'Use `code` here')
  await expect(log.getByText('code')).toBeVisible()
  await expect(thread.getByText('code')).toBeVisible()
  const frame = shop.page.frames().find((frame) => frame.url().includes('/chat?'))!
  for (const view of [frame, ada.page]) await view.evaluate(translateAll)
  for (const part of [log, thread]) {
    await expect(part.getByText('TRANSLATE ME')).toBeVisible()
    await expect(part.locator('code')).toHaveText('code')
  }
  await sendMessage('And then?')
  await expect(thread.getByText('And then?')).toBeVisible()
  await answer(id, 'Then this')
  await expect(log.getByText('Then this')).toBeVisible()
  await ada.page.getByRole('link', { name: 'All' }).first().click()
  await ada.page.goBack()
  await expect(thread.getByText('Then this')).toBeVisible()
  expectValue([...shop.faults, ...ada.faults]).toEqual([])
})

test('a conversation and the reports are printed whole, light, and without navigation', async () => {
  const shop = await visitShop(scene)
  const { id } = await ask(shop.page, 'Print me')
  for (let number = 1; number <= 40; number++) await answer(id, `Line ${number}\nwith\nsome\nheight`)
  const { page, faults } = await openSignedIn(scene, `/conversations/all/${id}`, { colorScheme: 'dark' })
  await expect(page.getByText('Line 40')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  for (const text of ['Print me', 'Line 1', 'Line 20', 'Line 40']) {
    await expect(
      page
        .getByText(new RegExp(`^${text}(\\n|$)`))
        .locator('visible=true')
        .first(),
    ).toBeVisible()
  }
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByPlaceholder('Write a reply')).toBeHidden()
  expectValue(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(3_000)
  expectValue(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--panel'))).toBe(
    '#ffffff',
  )
  await page.emulateMedia({ media: 'screen' })
  await page.goto(`${scene.url}/reporting`)
  await expect(page.getByRole('region', { name: 'Messages per day' }).locator('svg').first()).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation')).toHaveCount(0)
  const last = page.getByRole('region', { name: 'Ratings' })
  expectValue((await last.boundingBox())!.y).toBeLessThan(
    await page.evaluate(() => document.documentElement.scrollHeight),
  )
  expectValue(faults).toEqual([])
})

test('where the system forces its colors, the chat and its button have an outline', async () => {
  const { page, faults } = await visitShop(scene, { forcedColors: 'active' })
  await openChat(page)
  for (const part of [page.getByRole('dialog'), page.getByRole('button', { name: 'Close chat widget' })]) {
    const { width, color } = await part.evaluate((element) => {
      const { outlineWidth: width, outlineColor: color } = getComputedStyle(element)
      return { width, color }
    })
    expectValue(width).toBe('2px')
    expectValue(color).not.toMatch(/^rgba/)
  }
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/forced colors.png` })
  expectValue(faults).toEqual([])
})
