import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openConversation, openDashboard, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene
/** The id of Carla, a customer known to the team. */
let carla: string

beforeAll(async () => {
  scene = await setScene()
  const customer = { name: 'Carla Reyes', email: 'carla@customer.test', external_id: 'c-7' }
  carla = (await call(scene.url, 'POST', '/api/customers', { customer }, scene.token)).data.id
})
afterAll(() => scene.close())

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Customer details' })

/** A browser that claims an identity without a signature, and writes something. */
async function visit(token: string, customer: object, body: string) {
  const { url, account_id } = scene
  const customer_id = crypto.randomUUID()
  const visitor_session = { account_id, token, customer_id, customer }
  await call(url, 'POST', '/api/visitor_sessions', { visitor_session })
  const { data } = await call(url, 'POST', '/api/conversations', { conversation: {} }, token)
  await call(url, 'POST', '/api/messages', { message: { conversation_id: data.id, body } }, token)
  return { token, customer_id, conversation_id: data.id as string }
}

test('a visitor who claims to be a known customer is shown as such in header and panel, and can be merged with one click, which can be undone', async () => {
  const { page, faults } = await openDashboard(scene)
  await visit('a'.repeat(43), { external_id: 'c-7' }, 'Please send me my contract')
  await openConversation(page, 'Please send me my contract')
  const header = page.locator('main header')
  await expect(header.getByText('Claims to be Carla Reyes (not verified)')).toBeVisible()
  const claim = panelOf(page).getByRole('region', { name: 'Unverified claim' })
  await expect(claim).toContainText('Claims to be Carla Reyes (not verified)')
  await expect(claim).toContainText('Anybody can claim this.')
  await expect(claim.getByRole('link', { name: 'Carla Reyes' })).toHaveAttribute('href', `/customers/${carla}`)
  await expectNoFindings(page, 'aside[aria-label="Customer details"]')
  await expectNoFindings(page, 'main header')
  await header.getByRole('button', { name: 'Merge into Carla Reyes' }).click()
  await expect(panelOf(page).getByRole('heading', { name: 'Carla Reyes' })).toBeVisible()
  await expect(page.getByText('(not verified)')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(claim).toContainText('Claims to be Carla Reyes (not verified)')
  expect(faults).toEqual([])
})

test('a claim is shown at once in an open conversation, also on a phone and on the customer’s page', async () => {
  const visitor = await visit('b'.repeat(43), { name: 'Kim' }, 'Is this my account?')
  const { page, faults } = await openDashboard(scene, { viewport: { width: 390, height: 844 } })
  await openConversation(page, 'Is this my account?')
  await expect(page.getByRole('heading', { name: 'Kim' })).toBeVisible()
  const metadata = { email: 'carla@customer.test' }
  await call(scene.url, 'PUT', `/api/customers/${visitor.customer_id}/metadata`, { metadata }, visitor.token)
  await expect(page.getByText('Claims to be Carla Reyes (not verified)').first()).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.goto(`${scene.url}/customers/${visitor.customer_id}`)
  const claim = page.getByRole('region', { name: 'Unverified claim' })
  await claim.getByRole('button', { name: 'Merge into Carla Reyes' }).click()
  await expect(page.getByRole('heading', { name: 'Carla Reyes' })).toBeVisible()
  await expect(claim).toHaveCount(0)
  expect(faults).toEqual([])
})

test('messages written before a proof are marked in the thread, with the browser’s claim', async () => {
  const { data: inbox } = await call(scene.url, 'GET', '/api/inboxes/primary', undefined, scene.token)
  const path = `/api/inboxes/${inbox.id}/identity_secrets`
  const { secret } = (await call(scene.url, 'POST', path, {}, scene.token)).data
  const visitor = await visit('c'.repeat(43), { name: 'Mallory', phone: '666' }, 'Send it to my new address')
  const { page, faults } = await openDashboard(scene)
  await openConversation(page, 'Send it to my new address')
  await expect(page.getByRole('heading', { name: 'Mallory' }).first()).toBeVisible()
  const visitor_session = { identity_token: sign({ sub: 'p-1', name: 'Petra' }, secret) }
  await call(scene.url, 'PUT', '/api/visitor_sessions/identity', { visitor_session }, visitor.token)
  const log = page.getByRole('log', { name: 'Messages' })
  const line = log.getByRole('note')
  await expect(line).toContainText('written before this visitor’s identity was verified')
  await expect(line).toContainText('Unverified details: Mallory, 666')
  await expect(panelOf(page).getByRole('heading', { name: 'Petra' })).toBeVisible()
  const message = { conversation_id: visitor.conversation_id, body: 'Now it is really me' }
  await call(scene.url, 'POST', '/api/messages', { message }, visitor.token)
  await expect(log.getByText('Now it is really me')).toBeVisible()
  expect(faults).toEqual([])
})

test('an admin can let unsigned ids match known customers, and the page explains the risk', async () => {
  const { page, faults } = await openSignedIn(scene, '/settings/account')
  const block = page.getByRole('region', { name: 'Unsigned customer IDs' })
  const trusted = block.getByRole('checkbox', { name: 'Match unsigned IDs to known customers' })
  await expect(trusted).not.toBeChecked()
  await expect(block).toContainText('anyone who guesses a customer’s ID can read their conversations')
  await block.getByRole('button', { name: 'Edit' }).click()
  await trusted.check()
  await block.getByRole('button', { name: 'Save' }).click()
  await expect(block.getByRole('button', { name: 'Edit' })).toBeVisible()
  await page.reload()
  await expect(trusted).toBeChecked()
  const { data } = await call(scene.url, 'GET', '/api/accounts/me', undefined, scene.token)
  expect(data.settings.trust_unsigned_ids).toBe(true)
  expect(faults).toEqual([])
})

function sign(claims: object, secret: string): string {
  const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 300
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ exp, ...claims })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
