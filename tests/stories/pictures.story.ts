import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import {
  call,
  findConversation,
  openConversation,
  openDashboard,
  PICTURE,
  type Scene,
  setScene,
  writeInShop,
} from './scene.ts'

let scene: Scene
let gallery: Server
const visitors: (string | undefined)[] = []
beforeAll(async () => {
  gallery = createServer(({ headers }, response) => {
    visitors.push(headers['user-agent'])
    response.setHeader('content-type', 'image/png').end(PICTURE)
  })
  await new Promise<void>((resolve) => gallery.listen(0, '127.0.0.1', resolve))
  scene = await setScene({}, { REACHABLE_HOSTS: '127.0.0.1' })
})
afterAll(async () => {
  await scene.close()
  gallery.close()
})

/** As if the message had come by mail. */
async function storeHtml(message_id: string, html: string): Promise<void> {
  const client = new pg.Client(scene.database)
  await client.connect()
  await client.query('update messages set email_html = $2 where id = $1', [message_id, html])
  await client.end()
}

const galleryUrl = () => `http://127.0.0.1:${(gallery.address() as AddressInfo).port}`

test('a customer’s picture is shown through our server, so its host does not learn who views it', async () => {
  await (await writeInShop(scene, 'here I am')).context().close()
  const { customer_id } = await findConversation(scene, 'here')
  const profile_photo_url = `${galleryUrl()}/me.png`
  await call(scene.url, 'PUT', `/api/customers/${customer_id}`, { customer: { profile_photo_url } }, scene.token)
  const { page, faults } = await openDashboard(scene)
  await openConversation(page, 'here I am')
  const panel = page.getByRole('complementary', { name: 'Customer details' })
  await expect(panel.locator('img')).toHaveJSProperty('complete', true)
  expect(await panel.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(visitors.length).toBe(1)
  expect(String(visitors[0])).not.toContain('Chrome')
  expect(faults).toEqual([])
})

test('in a narrow column of a mail’s table words stay whole, and a table that is too wide scrolls', async () => {
  await (await writeInShop(scene, 'see the offer')).context().close()
  const { messages } = await findConversation(scene, 'offer')
  const cells = Array.from({ length: 9 }, (_, at) => `<td style="width:8px">Versandkostenpauschale${at}</td>`).join('')
  await storeHtml(messages[0].id, `<table style="width:200px"><tr>${cells}</tr></table>`)
  const { page } = await openDashboard(scene, { viewport: { width: 390, height: 844 } })
  await openConversation(page, 'see the offer')
  const mail = page.locator('iframe[sandbox*="allow-popups"]').contentFrame()
  const cell = mail.getByText('Versandkostenpauschale0')
  await expect(cell).toBeVisible()
  const lines = await cell.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })
  expect(lines).toBe(1)
  const room = await cell.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  expect(room, 'the table scrolls inside the mail').toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})

test('pictures of an e-mail are loaded through our server, too, on request', async () => {
  await (await writeInShop(scene, 'see the mail')).context().close()
  const { messages } = await findConversation(scene, 'mail')
  const html = `<p>Here it is: <img src="${galleryUrl()}/lamp.png" alt="the lamp"></p>`
  await storeHtml(messages[0].id, html)
  visitors.splice(0)
  const { page } = await openDashboard(scene)
  await openConversation(page, 'see the mail')
  const picture = page.locator('iframe[sandbox*="allow-popups"]').contentFrame().getByRole('img', { name: 'the lamp' })
  await expect(picture).toBeVisible()
  expect(visitors).toEqual([])
  await page.getByRole('button', { name: 'Show images' }).click()
  await expect(picture).toHaveAttribute('src', /^data:image\/webp/)
  await expect(picture).not.toHaveJSProperty('naturalWidth', 0)
  expect(visitors).toHaveLength(1)
  expect(String(visitors[0])).not.toContain('Chrome')
})
