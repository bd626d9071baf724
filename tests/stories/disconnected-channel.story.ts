import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { pollAll } from '#server/features/connections/authorizations/polling.ts'
import { postMessage } from '#server/features/conversations/conversations/posting.ts'
import { ACCOUNT_SID, AUTH_TOKEN, NUMBER, startTwilio, type Twilio } from '#tests/emulators/twilio.ts'
import { closePages, expect, shareBrowser } from '#tests/support/browser.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type Json, startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, type World } from '#tests/support/world.ts'
import { expectNoFindings, openSignedIn, type Scene } from './scene.ts'

let twilio: Twilio
let database: FreshDatabase
let server: TestServer
let world: World
let browser: Browser
beforeAll(async () => {
  twilio = await startTwilio()
  database = await freshDatabase()
  server = await startTestServer({ ...twilio.settings, REACHABLE_HOSTS: '127.0.0.1' }, undefined, database)
  world = await createWorld(server)
  browser = await shareBrowser()
})
afterAll(async () => {
  await closePages(browser)
  await server.close()
  await database.drop()
  await twilio.close()
})

const ROOM = { timeout: 40_000 }
const scene = () => ({ browser, url: server.url }) as Scene
const asAda = async (method: string, path: string, body?: object): Promise<Json> =>
  (await server.request(method, path, { token: world.ada.token, ...(body && { body }) })).body

async function connect(): Promise<string> {
  const authorization = {
    twilio_account_sid: ACCOUNT_SID,
    twilio_auth_token: AUTH_TOKEN,
    from_phone_number: NUMBER,
    inbox_id: world.website.id,
  }
  return (await asAda('POST', '/api/twilio/auth', { authorization })).data.id
}

test('who answers by SMS reads before sending that the number was disconnected, and sees the reply wait and leave', async () => {
  const id = await connect()
  await twilio.receive('+12025550131', { body: 'Is the desk still there?' })
  await pollAll(server.context)
  const find = async () =>
    (await asAda('GET', '/api/conversations')).data.find((conversation: Json) => conversation.source === 'sms')?.id as
      | string
      | undefined
  await expect.poll(find, ROOM).toBeTruthy()
  const { page, faults } = await openSignedIn(scene(), `/conversations/all/${await find()}`)
  const composer = page.getByPlaceholder('Write a reply')
  await expect(composer).toBeVisible(ROOM)
  await expect(page.getByText('Twilio is disconnected')).toHaveCount(0)
  await asAda('DELETE', `/api/integrations/${id}`)
  const problem = 'Twilio is disconnected. Reconnect it under Integrations → Twilio.'
  await expect(page.getByText(`${problem} A reply waits until it works again.`)).toBeVisible(ROOM)
  await expect(page.getByRole('link', { name: 'Open its settings' })).toHaveAttribute('href', /integrations\/twilio$/)
  await composer.fill('It is, in oak.')
  await composer.press('Control+Enter')
  const bubble = page.getByRole('article').filter({ hasText: 'It is, in oak.' })
  await expect(bubble.getByText(`Waiting: ${problem}`)).toBeVisible(ROOM)
  await expect(bubble.getByText(/^Sent/)).toHaveCount(0)
  await expectNoFindings(page)
  await connect()
  await expect(bubble.getByText('Sent by SMS')).toBeVisible(ROOM)
  await expect(page.getByText(problem)).toHaveCount(0)
  expect(faults).toEqual([])
})

test('before the next text message to a customer who may have asked for no more, the dashboard asks once', async () => {
  await connect()
  await twilio.receive('+12025550132', { body: 'Can you stop writing to me about hats?' })
  await pollAll(server.context)
  const find = async () =>
    (await asAda('GET', '/api/conversations?q=hats')).data.find((conversation: Json) => conversation.source === 'sms')
      ?.id
  await expect.poll(find, ROOM).toBeTruthy()
  const { page, faults } = await openSignedIn(scene(), `/conversations/all/${await find()}`)
  const composer = page.getByPlaceholder('Write a reply')
  const thread = page.getByRole('log')
  await composer.fill('Only about your order')
  await composer.press('Control+Enter')
  const question = page.getByRole('dialog', { name: 'Send it anyway?' })
  await expect(question).toContainText('+12025550132 may have asked for no more messages.')
  await expectNoFindings(page, '[role="dialog"]')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  await expect(composer).toHaveValue('Only about your order')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await question.getByRole('button', { name: 'Send anyway' }).click()
  await expect(thread.getByText('Only about your order')).toBeVisible(ROOM)
  await expect(composer).toHaveValue('')
  const marked = async () => (await asAda('GET', `/api/conversations/${await find()}`)).data.possible_opt_out_at
  await expect.poll(marked, ROOM).toBe(null)
  await composer.fill('It comes today')
  await composer.press('Control+Enter')
  await expect(thread.getByText('It comes today')).toBeVisible(ROOM)
  await expect(question).toHaveCount(0)
  expect(faults).toEqual([])
})

test('an answer by somebody without an account is shown under their name, not as “You”', async () => {
  const { conversation_id } = await startConversation(server, world.carla, 'Who is there?')
  const draft = { conversation_id, body: 'A temp', source: 'slack' as const, external_author: 'Temp Worker' }
  await server.context.change((tx) =>
    postMessage(server.context, tx, world.acme.id, { kind: 'user', user_id: world.ada.id }, draft),
  )
  const { page, faults } = await openSignedIn(scene(), `/conversations/all/${conversation_id}`)
  const bubble = page.getByRole('article').filter({ hasText: 'A temp' })
  await expect(bubble.getByText('Temp Worker via Slack')).toBeVisible(ROOM)
  await expect(bubble.getByText('You', { exact: true })).toHaveCount(0)
  await expect(page.getByText('Temp Worker: A temp')).toBeVisible()
  expect(faults).toEqual([])
})

test('an integration’s page shows no state before it is known, and an error if it cannot be loaded', async () => {
  await connect()
  const { page } = await openSignedIn(scene(), '/conversations/all')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/integrations', async (route) => {
    await held.promise
    await route.fulfill({ status: 503, json: { error: { status: 503, code: 503, message: 'Too busy.' } } })
  })
  await page.goto(`${server.url}/inboxes/${world.website.id}/integrations/twilio`)
  await expect(page.getByText('How does it work?')).toBeVisible(ROOM)
  await expect(page.getByText('Not connected')).toHaveCount(0)
  held.resolve()
  await expect(page.getByText('Integrations could not be loaded')).toBeVisible(ROOM)
  await expect(page.getByText('Not connected')).toHaveCount(0)
  await page.unroute('**/api/integrations')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(/^(Connected|Waiting for the first message)$/).first()).toBeVisible(ROOM)
})
