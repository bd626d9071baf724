import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { signedBody, startWhatsapp, type WhatsappEmulator } from '#tests/emulators/whatsapp.ts'
import { closePages, expect, shareBrowser } from '#tests/support/browser.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type Json, startTestServer, type TestServer } from '#tests/support/server.ts'
import { PIXEL } from '#tests/support/uploads.ts'
import { DETAILS } from '#tests/support/whatsapp.ts'
import { createWorld, type World } from '#tests/support/world.ts'
import { expectNoFindings, openSignedIn, type Scene } from './scene.ts'

let whatsapp: WhatsappEmulator
let database: FreshDatabase
let server: TestServer
let world: World
let browser: Browser
beforeAll(async () => {
  whatsapp = await startWhatsapp()
  database = await freshDatabase()
  server = await startTestServer({ ...whatsapp.settings, REACHABLE_HOSTS: '127.0.0.1' }, undefined, database)
  world = await createWorld(server)
  browser = await shareBrowser()
})
afterAll(async () => {
  await closePages(browser)
  await server.close()
  await database.drop()
  await whatsapp.close()
})

const ROOM = { timeout: 40_000 }
const scene = () => ({ browser, url: server.url }) as Scene
const asAda = async (method: string, path: string, body?: object): Promise<Json> =>
  (await server.request(method, path, { token: world.ada.token, ...(body && { body }) })).body

/** As if the server was public, which pages on this machine are not. */
async function connect(): Promise<void> {
  const { config } = server.context
  const { baseUrl } = config
  config.baseUrl = 'https://support.acme.example'
  try {
    await asAda('POST', '/api/whatsapp/auth', { authorization: { ...DETAILS, inbox_id: world.website.id } })
  } finally {
    config.baseUrl = baseUrl
  }
}

const template = {
  name: 'shipped',
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED',
  components: [{ type: 'BODY', text: 'Hi {{1}}, your hat has left.', example: { body_text: [['Kim']] } }],
}
const withPicture = {
  ...template,
  name: 'offer',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'New hats are here.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'See them', url: 'https://acme.example/{{1}}' }] },
  ],
}

test('without a public https address the page of WhatsApp says so, takes no secrets, and leads to Twilio', async () => {
  const { page, faults } = await openSignedIn(scene(), '/integrations/whatsapp')
  await expect(page.getByText('it needs a public https address')).toBeVisible(ROOM)
  await expect(page.getByLabel('App secret')).toHaveCount(0)
  await expect(page.getByText('Meta charges for each message')).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('link', { name: 'Connect over Twilio' }).click()
  await expect(page.getByLabel('WhatsApp sender')).toBeVisible(ROOM)
  expect(new URL(page.url()).pathname).toBe('/integrations/twilio')
  expect(faults).toEqual([])
})

test('an agent sees how long WhatsApp takes free text, and sends a template when it no longer does', async () => {
  whatsapp.templates.push(template, withPicture)
  await connect()
  const call = whatsapp.say(
    { number: '4915700000031', name: 'Kim' },
    { type: 'text', text: { body: 'Where is my hat?' } },
  )
  const { text, signature } = signedBody(call)
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  await server.request('POST', `/api/whatsapp/webhook?account=${world.acme.id}`, { headers, body: text })
  const find = async () =>
    (await asAda('GET', '/api/conversations')).data.find((conversation: Json) => conversation.source === 'whatsapp')
      ?.id as string | undefined
  await expect.poll(find, ROOM).toBeTruthy()
  const id = await find()
  const { page, faults } = await openSignedIn(scene(), `/conversations/all/${id}`)
  await expect(page.getByText('WhatsApp takes free text for 23 hours more.')).toBeVisible(ROOM)
  await server.context.db
    .updateTable('conversations')
    .set({ reply_until: new Date(Date.now() - 60_000).toISOString() })
    .where('id', '=', id!)
    .execute()
  await page.reload()
  await expect(page.getByText('WhatsApp takes only templates now')).toBeVisible(ROOM)
  await expect(page.getByText('Templates only')).toBeVisible()
  await page.getByPlaceholder('Write a reply').fill('Too late')
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await page.getByRole('button', { name: 'Templates', exact: true }).click()
  await page.getByLabel('Template', { exact: true }).selectOption({ label: 'shipped (en_US)' })
  await page.getByLabel('{{1}}').fill('Ida')
  await expect(page.getByText('Hi Ida, your hat has left.')).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Send template' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0, ROOM)
  await expect(page.getByText('Hi Ida, your hat has left.').first()).toBeVisible(ROOM)
  await expect.poll(() => whatsapp.sent.map(({ type }) => type), ROOM).toEqual(['template'])

  await page.getByRole('button', { name: 'Templates', exact: true }).click()
  await page.getByLabel('Template', { exact: true }).selectOption({ label: 'offer (en_US)' })
  await page.getByLabel('End of the address of “See them”').fill('hats')
  await page.getByRole('button', { name: 'Send template' }).click()
  await expect(page.getByRole('alert').getByText('Picture above the text')).toBeVisible()
  const picture = { name: 'hat.png', mimeType: 'image/png', buffer: PIXEL }
  await page.getByLabel('Picture above the text').setInputFiles(picture)
  await expect(page.getByText('hat.png')).toBeVisible(ROOM)
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Send template' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0, ROOM)
  await expect(page.getByText('See them: https://acme.example/hats').first()).toBeVisible(ROOM)
  await expect.poll(() => whatsapp.sent.map(({ type }) => type), ROOM).toEqual(['template', 'template'])
  expect(faults).toEqual([])
})
