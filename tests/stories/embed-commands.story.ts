import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { type EmbedSite, STUB, startEmbedSite, writePage } from '#tests/support/embed-site.ts'
import { call, openChat, type Scene, setScene } from './scene.ts'

let scene: Scene
let site: EmbedSite

beforeAll(async () => {
  scene = await setScene({}, {}, { isWhole: true })
  const boot = (config: object) => `Parley('boot', ${JSON.stringify({ token: scene.account_id, ...config })});`
  const widget = `${scene.url}/widget.js`
  const inbox = (await call(scene.url, 'GET', '/api/inboxes/primary', undefined, scene.token)).data.id
  site = await startEmbedSite(scene.url, {
    '/': writePage('/stub.js', '/listen.js', '/boot.js', widget),
    '/named': writePage('/stub.js', '/named.js', `${widget}?token=${scene.account_id}&inbox=${inbox}`),
    '/named.js': boot({ inbox }),
    '/early': writePage('/stub.js', '/listen.js', '/named-early.js', '/boot.js', '/open.js', widget),
    '/named-early.js': "Parley('identify', { external_id: 'early-1', name: 'Early Erin' })",
    '/twice': writePage('/stub.js', '/boot.js', widget, widget),
    '/plain': writePage('/old.js', widget),
    '/release-candidate': writePage(`${scene.url}/widget-rc.js`, '/init.js'),
    '/dressed': writePage('/stub.js', '/dressed.js', widget),
    '/stub.js': STUB,
    '/bare': writePage('/stub.js', '/bare.js', widget),
    '/bare.js': boot({ hideToggleButton: true }),
    '/open.js': "Parley('open')",
    '/boot.js': boot({}),
    '/dressed.js': boot({
      title: 'Ask the potters',
      position: { side: 'left', offset: 44 },
      zIndex: 7,
      styles: { toggleButton: { bottom: 60, backgroundColor: 'rgb(1, 2, 3)' }, chatContainer: { borderRadius: 3 } },
    }),
    '/listen.js': `window.received=[];for (const name of ['ready','open','close','unread','message:sent','message:received','identity:refused'])
      Parley('on', name, (payload) => received.push([name, typeof payload === 'object' ? payload.body : payload]))`,
    '/old.js': `window.Papercups={config:${JSON.stringify({ accountId: scene.account_id, baseUrl: scene.url })}}`,
    '/init.js': `Papercups.init({accountId:${JSON.stringify(scene.account_id)}})`,
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
const command = (page: Page, ...args: unknown[]) =>
  page.evaluate((command) => (Reflect.get(window, 'Parley') as (...args: unknown[]) => void)(...command), args)
const received = (page: Page): Promise<[string, unknown][]> => page.evaluate(() => Reflect.get(window, 'received'))
const bubble = (page: Page) => page.getByRole('button', { name: /^(Open|Close) chat widget$/ })

test('a page opens and closes its chat, and receives the events', async () => {
  const { page, faults } = await visit()
  await command(page, 'open')
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'true')
  await command(page, 'toggle')
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'false')
  await command(page, 'open')
  await command(page, 'close')
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'false')
  expectValue((await received(page)).map(([name]) => name)).toEqual(['ready', 'open', 'close', 'open', 'close'])
  expectValue(faults).toEqual([])
})

test('commands called before the script has loaded are executed afterwards', async () => {
  const { page, faults } = await visit('/early')
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'true')
  const { sendMessage } = await openChat(page)
  await sendMessage('Before the script')
  await expect
    .poll(async () => {
      const { data } = await call(scene.url, 'GET', '/api/conversations?q=Before+the+script', undefined, scene.token)
      return data[0]?.customer.name
    })
    .toBe('Early Erin')
  expectValue(faults).toEqual([])
})

test('including the script twice results in one chat', async () => {
  const { page } = await visit('/twice')
  await expect(bubble(page)).toHaveCount(1)
  await command(page, 'open')
  await expect(page.locator('iframe')).toHaveCount(1)
})

test('pages of Papercups keep working: their global, their window events, the release candidate', async () => {
  const { page } = await visit('/plain')
  await expect(bubble(page)).toBeVisible()
  for (const [name, isOpen] of [
    ['open', 'true'],
    ['toggle', 'false'],
    ['toggle', 'true'],
    ['close', 'false'],
  ]) {
    await page.evaluate((event) => dispatchEvent(new Event(event)), `papercups:${name}`)
    await expect(bubble(page)).toHaveAttribute('aria-expanded', isOpen!)
  }
  await expect(bubble((await visit('/release-candidate')).page)).toBeVisible()
})

test.each([
  ['with the snippet of the settings page one request, and the chat opens in its looks without asking', '/named', []],
  [
    'at the bare address of the script, as pages of old have it, one more for how it looks',
    '/',
    ['/api/widget_settings'],
  ],
])('before any click a page has made, %s', async (_, path, more) => {
  const look = { title: 'Ask the lamp makers', color: '#a8326e' }
  await call(scene.url, 'PUT', '/api/widget_settings', { widget_settings: look }, scene.token)
  const { page } = await openPage(scene.browser)
  const requests: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin === scene.url) requests.push(pathname)
    else expectValue(origin).toBe(site.url)
  })
  await page.goto(site.url + path)
  await expect(bubble(page)).toHaveCSS('background-color', 'rgb(168, 50, 110)')
  expectValue(requests).toEqual(['/widget.js', ...more])
  const { chat } = await openChat(page)
  await expect(chat.getByRole('heading', { name: 'Ask the lamp makers' })).toBeVisible()
  expectValue(requests.filter((requested) => requested === '/api/widget_settings')).toEqual(more)
  expectValue(await page.context().cookies()).toEqual([])
  await call(scene.url, 'PUT', '/api/widget_settings', { widget_settings: { title: null, color: null } }, scene.token)
})

test('settings loaded for one account are not used for another that the page names later', async () => {
  const { page } = await visit('/named')
  await expect(bubble(page)).toBeVisible()
  const request = page.waitForRequest(/\/api\/widget_settings/)
  await command(page, 'boot', { token: '00000000-0000-4000-8000-000000000000' })
  expectValue((await request).url()).toContain('account_id=00000000-0000-4000-8000-000000000000')
})

test('the team learns on which page the chat stands when somebody opens it', async () => {
  const { page } = await visit('/plain')
  await expect(bubble(page)).toBeVisible()
  const report = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().endsWith('/widget_settings/metadata'),
  )
  await bubble(page).click()
  expectValue((await report).postDataJSON().metadata).toEqual({ host: new URL(site.url).host, pathname: '/plain' })
})

test('a page can set position, offset, z-index and styles', async () => {
  const { page } = await visit('/dressed')
  const box = (await bubble(page).boundingBox())!
  expectValue([box.x, 900 - box.y - box.height]).toEqual([44, 60])
  await expect(bubble(page)).toHaveCSS('background-color', 'rgb(1, 2, 3)')
  await command(page, 'open')
  await expect(page.getByRole('dialog', { name: 'Ask the potters' })).toHaveCSS('border-radius', '3px')
  // Nor does a universal style rule of the page remove the layer.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { all: revert; font-size: 40px } button { position: static; padding: 40px }')
    document.adoptedStyleSheets = [sheet]
  })
  const host = page.locator('#PapercupsChatWidget')
  await expect(host).toHaveCSS('position', 'fixed')
  await expect(host).toHaveCSS('z-index', '7')
  expectValue(await bubble(page).boundingBox()).toEqual(box)
})

test('a page with its own button does not show ours', async () => {
  const { page } = await visit('/bare')
  await command(page, 'open')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(bubble(page)).toBeHidden()
})

test('on a phone the chat fills the screen, and its own close button gives the page back', async () => {
  const { page } = await visit('/', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const { chat } = await openChat(page)
  expectValue(await page.getByRole('dialog').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  await chat.getByRole('button', { name: 'Close', exact: false }).first().click()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('if the browser blocks storage, the chat works until the page is left', async () => {
  const { page, faults } = await openPage(scene.browser)
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('The user forbids it', 'SecurityError')
        },
      })
  })
  await page.goto(site.url)
  const { sendMessage, log } = await openChat(page)
  await sendMessage('Without a memory')
  await expect(log).toContainText('Without a memory')
  await expect.poll(async () => (await received(page)).some(([name]) => name === 'message:sent')).toBe(true)
  expectValue(faults).toEqual([])
})

test('a page can hide and show its chat, and change its texts', async () => {
  const { page } = await visit()
  await command(page, 'hide')
  await expect(bubble(page)).toBeHidden()
  await command(page, 'show')
  await expect(bubble(page)).toBeVisible()
  const { chat } = await openChat(page)
  await command(page, 'update', { title: 'Ask us anything' })
  await expect(chat.getByRole('heading', { name: 'Ask us anything' })).toBeVisible()
})

test('an application that replaces the body keeps its chat', async () => {
  const { page } = await visit()
  await expect(bubble(page)).toBeVisible()
  await page.evaluate(() => {
    document.body = document.createElement('body')
    document.body.append('Another view')
  })
  await expect(bubble(page)).toBeVisible()
  const { sendMessage, log } = await openChat(page)
  await sendMessage('Still here?')
  await expect(log).toContainText('Still here?')
})

test('messages that are not from the chat window have no effect', async () => {
  const { page, faults } = await visit()
  await openChat(page)
  await page.evaluate(() => {
    for (const content of [
      null,
      7,
      'papercups:close',
      {},
      { event: 3 },
      { event: 'papercups:close' },
      { event: 'chat:loaded', payload: 'x' },
    ])
      window.postMessage(content, '*')
  })
  await page.frames()[1]!.evaluate(() => {
    for (const content of [
      undefined,
      [],
      { event: {} },
      { event: 'parley:card', payload: { height: 'tall' } },
      { event: 'messages:unseen', payload: null },
    ])
      parent.postMessage(content, '*')
  })
  await expect(bubble(page)).toHaveAttribute('aria-expanded', 'true')
  expectValue(faults).toEqual([])
})

test('a page receives sent and received messages with their text', async () => {
  const { page } = await visit()
  const { sendMessage, log } = await openChat(page)
  await sendMessage('Do you ship?')
  await expect(log).toContainText('Do you ship?')
  await expect.poll(async () => (await received(page)).some(([name]) => name === 'message:sent')).toBe(true)
  const conversation_id = await findConversation('Do you ship?')
  await call(scene.url, 'POST', '/api/messages', { message: { conversation_id, body: 'We do.' } }, scene.token)
  await expect.poll(async () => received(page)).toContainEqual(['message:received', 'We do.'])
})

test('after somebody signs out, the next person finds nothing of theirs', async () => {
  const { page } = await visit()
  const first = await openChat(page)
  await first.sendMessage('My secret order')
  await expect(first.log).toContainText('My secret order')
  await expect.poll(async () => (await received(page)).some(([name]) => name === 'message:sent')).toBe(true)
  const revoked = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await command(page, 'shutdown')
  expectValue((await revoked).status()).toBe(200)
  await expect(page.locator('#PapercupsChatWidget')).toHaveCount(0)
  await page.reload()
  const next = await openChat(page)
  await expect(next.log).not.toContainText('My secret order')
})

test('when another person is identified, the chat restarts, even without signing out', async () => {
  const { page } = await visit()
  await command(page, 'identify', { external_id: 'carla', name: 'Carla' })
  const first = await openChat(page)
  await first.sendMessage('Of Carla alone')
  await expect.poll(async () => (await received(page)).some(([name]) => name === 'message:sent')).toBe(true)
  await page.reload()
  await command(page, 'identify', { external_id: 'dora', name: 'Dora' })
  const next = await openChat(page)
  await expect(next.log).not.toContainText('Of Carla alone')
})

test('a person with signed identity finds their conversation on a second device, before writing', async () => {
  const secret = await makeSecret()
  const customer = { external_id: 'signed-1', name: 'Sina' }
  const laptop = await visit()
  await command(laptop.page, 'identify', customer, sign({ sub: 'signed-1' }, secret))
  const first = await openChat(laptop.page)
  await first.sendMessage('Written at my desk')
  await expect.poll(async () => (await received(laptop.page)).some(([name]) => name === 'message:sent')).toBe(true)
  const phone = await visit('/', { viewport: { width: 390, height: 844 } })
  await command(phone.page, 'identify', customer, sign({ sub: 'signed-1' }, secret))
  await expect((await openChat(phone.page)).log).toContainText('Written at my desk')
})

test('a refused identity token is reported to the page, and the message is sent all the same', async () => {
  const { page } = await visit()
  await command(page, 'identify', { external_id: 'signed-2' }, sign({ sub: 'signed-2' }, 'pis_wrong'))
  const { sendMessage, log } = await openChat(page)
  await sendMessage('Can you hear me?')
  await expect(log).toContainText('Can you hear me?')
  await expect.poll(async () => (await received(page)).map(([name]) => name)).toContain('identity:refused')
  await expect.poll(async () => (await received(page)).some(([name]) => name === 'message:sent')).toBe(true)
})

async function makeSecret(): Promise<string> {
  const inbox = await call(scene.url, 'GET', '/api/inboxes/primary', undefined, scene.token)
  const path = `/api/inboxes/${inbox.data.id}/identity_secrets`
  return (await call(scene.url, 'POST', path, {}, scene.token)).data.secret
}

function sign(claims: object, secret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ exp: Math.floor(Date.now() / 1000) + 300, ...claims })}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

async function findConversation(text: string): Promise<string> {
  const { data } = await call(scene.url, 'GET', '/api/conversations?status=open', undefined, scene.token)
  return data.find(({ messages }: { messages: { body: string }[] }) => messages.some(({ body }) => body === text)).id
}
