import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { type EmbedSite, STUB, startEmbedSite, writePage } from '#tests/support/embed-site.ts'
import { call, openChat, type Scene, setScene } from './scene.ts'

let scene: Scene
let site: EmbedSite

const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>')}`

beforeAll(async () => {
  scene = await setScene({}, {}, { isWhole: true })
  const boot = (config: object) => `Parley('boot', ${JSON.stringify({ token: scene.account_id, ...config })});`
  const page = (config: string) => writePage('/stub.js', config, `${scene.url}/widget.js`)
  site = await startEmbedSite(scene.url, {
    '/': page('/boot.js'),
    '/open': page('/open.js'),
    '/persistent': page('/persistent.js'),
    '/open-at-first': page('/open-at-first.js'),
    '/greeted': page('/greeted.js'),
    '/mirrored': page('/mirrored.js'),
    '/shy': page('/shy.js'),
    '/pictured': page('/pictured.js'),
    '/barred': page('/barred.js'),
    '/stub.js': `${STUB}window.received=[];Parley('on','ready',()=>received.push('ready'))`,
    '/boot.js': boot({}),
    '/open.js': boot({ isOpenByDefault: true }),
    '/persistent.js': boot({ persistOpenState: true }),
    '/open-at-first.js': boot({ persistOpenState: true, defaultIsOpen: true }),
    '/greeted.js': boot({ popUpInitialMessage: true, greeting: 'Looking for a cup?' }),
    '/mirrored.js': boot({ popUpInitialMessage: true, greeting: 'Hi!', language: 'ar', position: 'left' }),
    '/shy.js': boot({ hideOutsideWorkingHours: true }),
    '/pictured.js': boot({ customIconUrl: ICON }),
    '/barred.js': boot({ customIconUrl: 'https://elsewhere.test/icon.png' }),
  })
})
afterAll(async () => {
  await site.close()
  await scene.close()
})

const visit = async (path = '/', options: Parameters<typeof openPage>[1] = {}) => {
  const watched = await openPage(scene.browser, options)
  await watched.page.goto(site.url + path)
  return watched
}
const bubble = (page: Page) => page.getByRole('button', { name: /^(Open|Close) chat widget$/ })
const asAda = (method: string, path: string, body: object) => call(scene.url, method, path, body, scene.token)

test.each([
  ['the page', '/open', false],
  ['the settings', '/', true],
])('a chat that is open because of %s does not take the focus from the page', async (_, path, is_open_by_default) => {
  await asAda('PUT', '/api/widget_settings', { widget_settings: { is_open_by_default } })
  const { page, faults } = await visit(path)
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'true')
  await expect(page.frameLocator('iframe').getByPlaceholder('Start typing...')).toBeVisible()
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  await asAda('PUT', '/api/widget_settings', { widget_settings: { is_open_by_default: false } })
  expect(faults).toEqual([])
})

test('a chat that was left open is open on the next page, one that was closed is closed', async () => {
  const { page } = await visit('/persistent')
  await bubble(page).click()
  await page.goto(`${site.url}/persistent?next`)
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'true')
  await bubble(page).click()
  await page.goto(`${site.url}/persistent`)
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'false')
  await page.goto(site.url)
  await bubble(page).click()
  await page.reload()
  await expect(bubble(page), 'unless the page does not ask for it').toHaveAttribute('aria-expanded', 'false')
})

test('a chat that is open by default stays closed on the next page once it was closed', async () => {
  const { page } = await visit('/open-at-first')
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'true')
  await bubble(page).click()
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'false')
  await page.reload()
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'false')
})

test('the greeting is shown beside the button, opens the chat, and is not shown again in the session', async () => {
  const { page, faults } = await openPage(scene.browser)
  // A different site than our server to the browser, which throttles such frames while they are out of sight.
  await page.goto(`${site.url.replace('localhost', '127.0.0.1')}/greeted`)
  const chat = page.frameLocator('iframe')
  await chat.getByRole('button', { name: 'Looking for a cup?' }).click()
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'true')
  await expect(chat.getByRole('log')).toContainText('Looking for a cup?')
  await page.reload()
  await expect(bubble(page)).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
  expect(faults).toEqual([])
})

test.each([
  ['/greeted', 'Looking for a cup?', 'right'],
  ['/mirrored', 'Hi!', 'left'],
])('on %s the card is on the button’s side, whatever the language', async (path, greeting, side) => {
  const { page } = await visit(path)
  const card = page.frameLocator('iframe').getByRole('button', { name: greeting })
  await expect(card).toBeVisible()
  const edge = ({ x, width }: { x: number; width: number }) => (side === 'left' ? x : x + width)
  const button = edge((await bubble(page).boundingBox())!)
  await expect.poll(async () => Math.abs(edge((await card.boundingBox())!) - button)).toBeLessThanOrEqual(8)
})

test('outside working hours the chat is hidden only on pages that set this option', async () => {
  const setHours = (account: object) => asAda('PUT', '/api/accounts/me', { account })
  await setHours({ time_zone: 'Europe/Lisbon', working_hours: [] })
  const { page } = await visit('/shy')
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'received'))).toEqual(['ready'])
  await expect(bubble(page)).toBeHidden()
  await page.goto(site.url)
  await expect(bubble(page)).toBeVisible()
  await setHours({ time_zone: null })
  await page.goto(`${site.url}/shy`)
  await expect(bubble(page)).toBeVisible()
})

test('the button shows the page’s own icon, or the default one if a policy blocks it', async () => {
  const { page } = await visit('/pictured')
  await expect(bubble(page).locator('img')).toHaveAttribute('src', ICON)
  await expect(bubble(page).locator('svg').first()).toHaveCSS('opacity', '0')
  await page.goto(`${site.url}/barred`)
  await expect(bubble(page).locator('svg').first()).toHaveCSS('opacity', '1')
  await expect(bubble(page).locator('img')).toHaveCount(0)
})

test('a conversation on one website is not shown on another, and is still there on the first', async () => {
  const { page } = await visit()
  const first = await openChat(page)
  await first.sendMessage('Said in the pottery')
  await expect(first.log).toContainText('Sent')
  // A different site to the browser, which partitions the storage of our frame.
  await page.goto(site.url.replace('localhost', '127.0.0.1'))
  const other = await openChat(page)
  await expect(other.log).not.toContainText('Said in the pottery')
  await other.sendMessage('Said elsewhere')
  await expect(other.log).toContainText('Sent')
  await page.goto(site.url)
  const again = await openChat(page)
  await expect(again.log).toContainText('Said in the pottery')
  await expect(again.log).not.toContainText('Said elsewhere')
})

test('a browser without any storage still sends a file with its text', async () => {
  const { page, faults } = await openPage(scene.browser)
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('The user forbids it', 'SecurityError')
        },
      })
  })
  await page.goto(site.url)
  const { chat, log, sendMessage } = await openChat(page)
  await chat.locator('input[type=file]').setInputFiles({
    name: 'order.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('one cup'),
  })
  await expect(chat.getByRole('button', { name: 'Send message' })).toBeEnabled()
  await sendMessage('With a file')
  await expect(log.getByRole('link', { name: /order\.txt/ })).toBeVisible()
  await expect(log).toContainText('Sent')
  expect(faults).toEqual([])
})

test('axe finds nothing on the page around, with the button, with the card beside it, and with the chat open', async () => {
  const { page } = await visit('/greeted')
  const check = async (state: string) => {
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(
      violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
      state,
    ).toEqual([])
  }
  const chat = page.frameLocator('iframe')
  await expect(chat.getByRole('button', { name: 'Looking for a cup?' })).toBeVisible()
  await check('card')
  await bubble(page).click()
  await expect(chat.getByPlaceholder('Start typing...')).toBeVisible()
  await check('open')
  await bubble(page).click()
  await expect(page.locator('iframe')).toBeHidden()
  await check('button, with the chat behind it')
  await page.goto(site.url)
  await expect(bubble(page)).toBeVisible()
  await check('button')
})

test('neither global styles nor the topmost banner of a page hide the chat or change its color', async () => {
  const { page } = await visit()
  const bubble = page.getByRole('button', { name: 'Open chat widget' })
  await expect(bubble).toBeVisible()
  const ground = () => bubble.evaluate((button) => getComputedStyle(button).backgroundColor)
  const before = await ground()
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`
      *{all:unset!important} div{display:none!important}
      aside{display:block!important;position:fixed!important;inset:0!important;z-index:2147483647!important;background:#fff!important}`)
    document.adoptedStyleSheets = [sheet]
    document.body.append(document.createElement('aside'))
    Reflect.get(window, 'Parley')?.('update', { title: 'Still here' })
  })
  expect(await ground()).toBe(before)
  // Fails if another element would receive the click.
  await bubble.click({ timeout: 5_000 })
  const chat = page.frameLocator('iframe')
  await expect(chat.getByPlaceholder('Start typing...')).toBeVisible()
})
