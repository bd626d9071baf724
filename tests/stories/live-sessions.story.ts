import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { bundle } from '#tests/support/bundle.ts'
import { type EmbedSite, startEmbedSite, writePage } from '#tests/support/embed-site.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

const TIMEOUT = { timeout: 20_000 }
let scene: Scene
let site: EmbedSite

const FORM = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Order</title><link rel="icon" href="data:,"></head><body>
<h1>Order a bowl</h1><label>Your name <input id="name"></label>
<label data-parley-unmask>Colour <input id="colour"></label><button type="button" id="next">Next</button>
<div style="height:2000px">A long page</div><script src="/options.js"></script><script src="STORYTIME"></script></body></html>`

const BOWL =
  '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20" fill="teal"/></svg>'
const PICTURED = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bowls</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css"></head><body><h1>Bowls</h1><img id="bowl" src="/bowl.svg" alt="A bowl">
<div id="shelf">Shelf</div><script src="STORYTIME"></script></body></html>`

/**
 * A booking form in an offset frame, with a `srcdoc` frame inside it; and frames whose contents must not be recorded.
 */
const FRAMED = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Framed</title><link rel="icon" href="data:,">
<style>body{margin:0}iframe{border:0;position:absolute;left:120px}</style></head><body><h1>Frames</h1><p id="echo"></p>
<iframe id="booking" src="/booking" width="400" height="220" style="top:100px"></iframe>
<iframe id="blocked" data-parley-block srcdoc="<p>blocked-in-a-frame</p>" width="200" height="40" style="top:330px"></iframe>
<div data-parley-mask><iframe id="masked" srcdoc="<p id=letter>masked-in-a-frame</p>" width="200" height="40" style="top:380px"></iframe></div>
<iframe id="foreign" src="FOREIGN?secret=in-an-address" width="300" height="60" style="top:430px"></iframe>
<script src="STORYTIME"></script></body></html>`
const BOOKING = `<!doctype html><html lang="en"><head><title>Booking</title><style>:root{--shade:rgb(1,2,3)}body{margin:0;background:var(--shade)}
@media (max-width:500px){h2{color:rgb(9,8,7)}}h2{margin:0;height:50vh}</style></head><body><h2>Booking</h2>
<label style="position:absolute;left:20px;top:120px">Name <input id="name"></label><input id="secret" type="password">
<iframe id="inner" srcdoc="<label>Note <textarea id=note></textarea></label>" width="200" height="50"></iframe>
<div style="height:900px"></div></body></html>`

beforeAll(async () => {
  scene = await setScene({}, { REACHABLE_HOSTS: 'localhost' })
  const storytime = `${scene.url}/storytime.js`
  const options = { accountId: scene.account_id, baseUrl: scene.url, publicKey: 'any' }
  const customer = { external_id: '42', name: 'Carla Reyes', email: 'carla@customer.test' }
  site = await startEmbedSite(
    scene.url,
    {
      '/': FORM.replace('STORYTIME', storytime),
      '/pictured': PICTURED.replace('STORYTIME', `${storytime}?account=${scene.account_id}`),
      '/bowl.svg': BOWL,
      '/pattern.svg': BOWL,
      '/late.svg': BOWL,
      '/shop.css': '#shelf{background-image:url(/pattern.svg)}',
      '/options.js': `window.Papercups={config:${JSON.stringify({ ...options, customer })}};window.options=${JSON.stringify(options)}`,
      '/framed': FRAMED.replace('STORYTIME', `${storytime}?account=${scene.account_id}`).replace('FOREIGN', scene.shop),
      '/booking': BOOKING,
      '/anonymous': writePage(`${storytime}?account=${scene.account_id}`),
      '/old': writePage('/options.js', '/old.js'),
      '/old.js': await bundle(`import { Storytime } from '@papercups-io/storytime'; Storytime.init(window.options)`),
    },
    { style: "'self' 'unsafe-inline'", frames: `'self' ${scene.shop}` },
  )
})
afterAll(async () => {
  await site.close()
  await scene.close()
})

const replay = (page: Page) => page.frameLocator('iframe[title="The visitor\'s page"]')

test('before the set-up the list says so; the set-up page shows what to do, and reports the first page', async () => {
  const { page } = await openSignedIn(scene, '/sessions')
  await expect(page.getByText('Storytime has not been set up on your website yet.')).toBeVisible()
  await expect(page.getByText('Nobody is on your website right now')).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('main').getByRole('link', { name: 'Set up Storytime' }).click()
  const code = page.getByRole('textbox', { name: 'Code to copy' })
  await expect(code).toHaveValue(new RegExp(`accountId: '${scene.account_id}'[^]*publicKey: '.+'[^]*storytime.js`))
  await page.getByText('Simple script').click()
  await expect(code).toHaveValue(`<script async src="${scene.url}/storytime.js?account=${scene.account_id}"></script>`)
  await page.getByText('Package').click()
  await expect(code).toHaveValue(/@papercups-io\/storytime/)
  await expect(page.getByText('Nothing has been recorded on your website yet.')).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Check' }).click()
  const visitor = await openPage(scene.browser)
  await visitor.page.goto(`${site.url}/anonymous`)
  await expect(page.getByText('Found!')).toBeVisible()
  await expect(page.getByText(/Last page that was recorded: localhost:\d+\/anonymous/)).toBeVisible()
  await visitor.page.context().close()
})

test('an agent watches a visitor fill in a form: the same page at the same position, with typed text masked', async () => {
  const visitor = await openPage(scene.browser, { viewport: { width: 800, height: 600 } })
  await visitor.page.goto(site.url)
  const { page, frames, faults } = await openSignedIn(scene, '/sessions/list')
  const row = page.getByRole('row', { name: /carla@customer.test/ })
  await expect(row).toContainText('Online now')
  await expect(row).toContainText('Chrome')
  await row.getByRole('link', { name: 'View live: Carla Reyes' }).click()
  await expect(page.getByText('The customer is active on /.')).toBeVisible()
  await expect(replay(page).getByRole('heading', { name: 'Order a bowl' })).toBeVisible()
  await expect(visitor.page.getByRole('status')).toContainText('Our support team can see this page now.')
  await visitor.page.fill('#name', 'Carla the Secret')
  await visitor.page.fill('#colour', 'Sea green')
  await expect(replay(page).locator('#colour')).toHaveValue('Sea green')
  await expect(replay(page).locator('#name')).toHaveValue('••••• ••• ••••••')
  expectValue(frames.join('')).not.toContain('the Secret')
  // The visitor's window keeps its proportions and fills the available space.
  const box = await page.locator('iframe[title="The visitor\'s page"]').boundingBox()
  expectValue(Math.round((box!.width / box!.height) * 100)).toBe(133)
  expectValue(Math.round(box!.height)).toBeLessThanOrEqual(480)
  await visitor.page.mouse.wheel(0, 700)
  await expect
    .poll(
      () =>
        replay(page)
          .locator('body')
          .evaluate(() => Math.round(window.scrollY)),
      TIMEOUT,
    )
    .toBe(700)
  // A page change without loading, in the same tab.
  await visitor.page.evaluate(() => history.pushState(null, '', '/thanks'))
  await expect(page.getByText('The customer is active on /thanks.')).toBeVisible()
  await visitor.page.reload()
  await expect(replay(page).locator('#colour')).toHaveValue('')
  await expectNoFindings(page)

  const beside = page.getByRole('complementary', { name: 'Customer and conversation' })
  await beside.getByRole('button', { name: 'New conversation', exact: true }).click()
  const field = page.getByRole('dialog').getByRole('textbox')
  await field.fill('Shall I help you with the form?')
  await page.getByRole('dialog').getByRole('button', { name: /send/i }).click()
  await expect(beside.getByText('Shall I help you with the form?')).toBeVisible()

  await page.goto(`${scene.url}/customers`)
  await page.getByRole('link', { name: 'Carla Reyes' }).first().click()
  await expect(page.getByRole('link', { name: 'View live' })).toBeVisible()
  await expect(visitor.page.getByRole('status')).toHaveCount(0)
  await page.getByRole('link', { name: 'View live' }).click()
  await expect(replay(page).getByRole('heading', { name: 'Order a bowl' })).toBeVisible()
  await visitor.page.context().close()
  await expect(page.getByText('The customer is disconnected.')).toBeVisible()
  expectValue(faults).toEqual([])
})

test('visitors without a name are told apart, and whoever presses Stop is not waited for', async () => {
  const { page: visitor } = await openPage(scene.browser)
  await visitor.goto(`${site.url}/anonymous`)
  const { page: other } = await openPage(scene.browser)
  await other.goto(`${site.url}/anonymous`)
  const { page } = await openSignedIn(scene, '/sessions', { viewport: { width: 1440, height: 900 } })
  const rows = page.getByRole('row').filter({ hasText: '/anonymous' })
  await expect.poll(() => rows.count(), TIMEOUT).toBeGreaterThan(1)
  await expect(page.getByText('Storytime has not been set up on your website yet.')).toBeHidden()
  const links = rows.getByRole('link', { name: /^View live: [A-Z][a-z]+ [A-Z][a-z]+$/ })
  const names = await links.evaluateAll((all) => all.map((link) => link.getAttribute('aria-label')))
  expectValue(new Set(names).size).toBe(await rows.count())
  // The newest is the first.
  await links.first().click()
  const beside = page.getByRole('complementary', { name: 'Customer and conversation' })
  await expect(beside).toContainText('/anonymous')
  await expect(page.getByText('The customer is active on /anonymous.').or(page.getByText(/inactive/))).toBeVisible()
  const stop = await Promise.any(
    [visitor, other].map(async (visitorPage) => {
      const button = visitorPage.getByRole('button', { name: 'Stop' })
      await button.waitFor(TIMEOUT)
      return button
    }),
  )
  await stop.click()
  await expect(page.getByText('The visitor has stopped sharing their page.')).toBeVisible(TIMEOUT)
})

test('beside the replay no button of the composer lies over another', async () => {
  const { page: visitor } = await openPage(scene.browser)
  await visitor.goto(`${site.url}/`)
  const { data } = await call(scene.url, 'GET', '/api/customers?q=Carla', undefined, scene.token)
  const conversation = { source: 'chat', customer_id: data[0].id, message: { body: 'Hello' } }
  await call(scene.url, 'POST', '/api/conversations', { conversation }, scene.token)
  const { page } = await openSignedIn(scene, '/sessions', { viewport: { width: 1440, height: 900 } })
  await page.getByRole('link', { name: 'View live: Carla Reyes' }).first().click()
  const beside = page.getByRole('complementary', { name: 'Customer and conversation' })
  await expect(beside.getByPlaceholder('Write a reply')).toBeVisible()
  const boxes = await beside.locator('[class*=composer] :is(button, label)').evaluateAll((all) =>
    all
      .map((control) => control.getBoundingClientRect())
      .filter(({ width, height }) => width > 4 && height > 4)
      .map(({ x, y, right: candidate, bottom }) => ({ x, y, right: candidate, bottom })),
  )
  const overlaps = boxes.filter((one, at) =>
    boxes.some(
      (box, index) =>
        index > at &&
        one.x + 2 < box.right &&
        box.x + 2 < one.right &&
        one.y + 2 < box.bottom &&
        box.y + 2 < one.bottom,
    ),
  )
  expectValue(boxes.length).toBeGreaterThan(3)
  expectValue(overlaps).toEqual([])
})

test('recordings of Papercups’ recorder are shown in the same way', async () => {
  const visitor = await openPage(scene.browser)
  await visitor.page.goto(`${site.url}/old`)
  const { page } = await openSignedIn(scene, '/sessions/list')
  const link = page.getByRole('row', { name: /\/old/ }).getByRole('link', { name: /^View live/ })
  await link.click()
  await expect(replay(page).getByRole('heading', { name: 'Shop' })).toBeVisible()
  await visitor.page.evaluate(() => document.querySelector('#app')!.append('said in the old way'))
  await expect(replay(page).locator('#app')).toHaveText('said in the old way')
  await visitor.page.context().close()
})

test('an agent sees a frame of the visitor’s page, with typed text masked', async () => {
  const visitor = await openPage(scene.browser, { viewport: { width: 800, height: 600 } })
  await visitor.page.goto(`${site.url}/framed`)
  const { page, frames, faults } = await openSignedIn(scene, '/sessions/list')
  await page
    .getByRole('row', { name: /\/framed/ })
    .getByRole('link', { name: /^View live/ })
    .click()
  await expect(replay(page).getByRole('heading', { name: 'Booking' })).toBeVisible()
  const booking = visitor.page.frameLocator('#booking')
  await booking.locator('#name').fill('Carla of Kyoto')
  await booking.frameLocator('#inner').locator('#note').fill('Oat milk please')
  await booking.locator('#secret').fill('hunter2-in-a-frame')
  await expect(replay(page).locator('#name')).toHaveValue('••••• •• •••••')
  await expect(replay(page).locator('#note')).toHaveValue('••• •••• ••••••')
  await expect(replay(page).locator('#letter')).toHaveText('•••••••••••••••••')
  await expect(replay(page).getByText('Part of another website, which is not shown.')).toBeVisible()
  // Elements in frames have the same position and colours as on the visitor's screen.
  const positionOf = (element: Element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return [x, y, width, height].map(Math.round)
  }
  for (const id of ['#booking', '#masked', '#foreign']) {
    const original = await visitor.page.locator(id).evaluate(positionOf)
    expectValue([id, await replay(page).locator(id).evaluate(positionOf)]).toEqual([id, original])
  }
  const heading = (element: Element) => [element.clientHeight, getComputedStyle(element).color]
  const original = await booking.getByRole('heading').evaluate(heading)
  expectValue(original).toEqual([110, 'rgb(9, 8, 7)'])
  expectValue(await replay(page).getByRole('heading', { name: 'Booking' }).evaluate(heading)).toEqual(original)
  const colour = () =>
    replay(page)
      .locator('#booking > .replayed-canvas')
      .evaluate((canvas) => getComputedStyle(canvas).backgroundColor)
  await expect.poll(colour, TIMEOUT).toBe('rgb(1, 2, 3)')
  await visitor.page.mouse.move(500, 300)
  await visitor.page.mouse.wheel(0, 300)
  const scrolled = () =>
    replay(page)
      .locator('#booking > html')
      .evaluate((html) => Math.round(html.scrollTop))
  await expect.poll(scrolled, TIMEOUT).toBe(300)
  // Content added to a frame later, and a new page in it.
  await booking.locator('body').evaluate((body) => body.append('A table for two'))
  await expect(replay(page).getByText('A table for two')).toHaveCount(1)
  await visitor.page.locator('#booking').evaluate((frame: HTMLIFrameElement) => {
    frame.srcdoc = '<!doctype html><p>Booked. Thank you!</p>'
  })
  await expect(replay(page).getByText('Booked. Thank you!')).toBeVisible()
  await expect(replay(page).getByRole('heading', { name: 'Booking' })).toHaveCount(0)
  const received = frames.join('')
  for (const secret of ['Kyoto', 'Oat milk', 'hunter2', 'blocked-in-a-frame', 'masked-in-a-frame', 'in-an-address'])
    expectValue(received).not.toContain(secret)
  await visitor.page.context().close()
  expectValue(faults).toEqual([])
})

test('with instant replay the last minute is played first, then live', async () => {
  const account = { settings: { instant_replay: true, members_watch_sessions: true } }
  await call(scene.url, 'PUT', '/api/accounts/me', { account }, scene.token)
  const visitor = await openPage(scene.browser)
  await visitor.page.goto(`${site.url}/anonymous`)
  await expect
    .poll(() => visitor.page.evaluate(() => performance.getEntriesByType('resource').length))
    .toBeGreaterThan(1)
  await visitor.page.waitForTimeout(500)
  await visitor.page.evaluate(() => document.querySelector('#app')!.append('early words'))
  const { page } = await openSignedIn(scene, '/sessions/list', { viewport: { width: 390, height: 844 } })
  await page
    .getByRole('link', { name: /^View live/ })
    .first()
    .click()
  await expect(replay(page).locator('#app')).toHaveText('early words')
  await visitor.page.evaluate(() => document.querySelector('#app')!.replaceChildren('words of now'))
  await expect(replay(page).locator('#app')).toHaveText('words of now')
  await expect(page.getByText('This visitor is not a customer yet')).toBeVisible()
  await page.getByRole('button', { name: 'Show the last minute' }).click()
  await expect(page.getByText('This was the last minute.')).toBeVisible()
  await expect(replay(page).locator('#app')).toHaveText('early words')
  await page.getByRole('button', { name: 'Go to live' }).click()
  await expect(replay(page).locator('#app')).toHaveText('words of now')
  await expectNoFindings(page)
  await visitor.page.context().close()
})

test('pictures and styles of a watched page are fetched only from hosts that an admin has named', async () => {
  const visitor = await openPage(scene.browser)
  await visitor.page.goto(`${site.url}/pictured`)
  const { page, faults } = await openSignedIn(scene, '/sessions/list')
  await page
    .getByRole('row', { name: /\/pictured/ })
    .getByRole('link', { name: /^View live/ })
    .click()
  const width = (id: string) =>
    replay(page)
      .locator(id)
      .evaluate((picture: HTMLImageElement) => picture.naturalWidth)
  const background = () =>
    replay(page)
      .locator('#shelf')
      .evaluate((shelf) => getComputedStyle(shelf).backgroundImage)
  await expect(replay(page).getByRole('heading', { name: 'Bowls' })).toBeVisible()
  expectValue(await width('#bowl')).toBe(0)
  const byVisitor = site.requests.filter((path) => path.endsWith('.svg')).sort()
  expectValue(byVisitor).toEqual(['/bowl.svg', '/pattern.svg'])

  await page.goto(`${scene.url}/sessions/setup`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page
    .getByLabel('Hosts of your website whose pictures, fonts and styles are shown')
    .fill(`${site.url}/about, b.test`)
  await page.getByRole('button', { name: 'Save' }).click()
  const hosts = page.getByLabel('Hosts of your website')
  await expect(hosts).toBeDisabled()
  await expect(hosts).toHaveValue(`${new URL(site.url).host}, b.test`)
  await page.goBack()
  await expect.poll(() => width('#bowl'), TIMEOUT).toBe(30)
  await expect.poll(background, TIMEOUT).toContain('url("data:image/svg+xml')
  // Content added later is drawn, too.
  await visitor.page.evaluate(() => {
    const late = Object.assign(document.createElement('img'), { id: 'late', src: '/late.svg' })
    document.body.append(late)
  })
  await expect.poll(() => width('#late'), TIMEOUT).toBe(30)
  await visitor.page.context().close()
  // Before a host is allowed, the replay box's policy blocks pictures, which the browser logs.
  expectValue(faults.filter((fault) => !/Content Security Policy/.test(fault))).toEqual([])
})
