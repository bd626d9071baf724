import { afterAll, beforeAll, test } from 'vitest'
import { type Github, PERSONAL_TOKEN, startGithub } from '#tests/emulators/github.ts'
import { GMAIL_ADDRESS, type Google, startGoogle } from '#tests/emulators/google.ts'
import { type Hubspot, startHubspot } from '#tests/emulators/hubspot.ts'
import { ACCESS_TOKEN, type Intercom, startIntercom } from '#tests/emulators/intercom.ts'
import { ACCOUNT_SID, AUTH_TOKEN, NUMBER, startTwilio, type Twilio } from '#tests/emulators/twilio.ts'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, findConversation, openSignedIn, type Scene, setScene, writeInShop } from './scene.ts'

let scene: Scene
let github: Github
let google: Google
let hubspot: Hubspot
let intercom: Intercom
let twilio: Twilio
let inbox_id: string

beforeAll(async () => {
  ;[github, google, hubspot, intercom, twilio] = await Promise.all([
    startGithub(),
    startGoogle(),
    startHubspot(),
    startIntercom(),
    startTwilio(),
  ])
  const { GITHUB_URL = '', GITHUB_API_URL = '' } = github.settings
  const { GOOGLE_CLIENT_ID: _, GOOGLE_CLIENT_SECRET: __, ...addresses } = google.settings
  const settings = {
    GITHUB_URL,
    GITHUB_API_URL,
    ...addresses,
    ...hubspot.settings,
    ...intercom.settings,
    ...twilio.settings,
  }
  const customer = { name: 'Nora Beam', email: 'nora@shop.test' }
  scene = await setScene({ customer }, settings)
  inbox_id = (await call(scene.url, 'GET', '/api/inboxes/primary', undefined, scene.token)).data.id
})
afterAll(async () => {
  await scene.close()
  await Promise.all([github, google, hubspot, intercom, twilio].map((emulator) => emulator.close()))
})

const ROOM = { timeout: 40_000 }

test('admins connect HubSpot by consent and Intercom by a token, and add a customer beside the conversation', async () => {
  await writeInShop(scene, 'Where is my lamp?')
  const { page, faults } = await openSignedIn(scene, '/integrations/hubspot')
  await expect(page.getByText('Not connected').first()).toBeVisible(ROOM)
  await expectNoFindings(page)
  hubspot.refuseConsent(true)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('Failed to authorize Hubspot')).toBeVisible(ROOM)
  await expect(page.getByText('You did not grant access, so nothing was connected.')).toBeVisible()
  await expect(page).toHaveURL(`${scene.url}/integrations/hubspot`)
  hubspot.refuseConsent(false)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('HubSpot 62515').first()).toBeVisible(ROOM)
  await expect(page.getByRole('button', { name: 'Reconnect' })).toBeVisible()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('The connection works.')).toBeVisible(ROOM)
  await expectNoFindings(page)

  // A redirect that this browser did not start connects nothing.
  await page.goto(`${scene.url}/integrations/intercom?code=stolen&state=somebody-else`)
  await expect(page.getByText('Failed to authorize Intercom').first()).toBeVisible(ROOM)
  await page.goto(`${scene.url}/integrations/intercom`)
  await page.getByLabel('Access token').fill('wrong')
  await page.getByRole('button', { name: 'Connect with this token' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Intercom refused the token' })).toBeVisible(ROOM)
  await page.getByLabel('Access token').fill(ACCESS_TOKEN)
  await page.getByRole('button', { name: 'Connect with this token' }).click()
  await expect(page.getByText('Acme workspace').first()).toBeVisible(ROOM)

  const { id, customer_id } = await findConversation(scene, 'lamp')
  const customer = { name: 'Nora Beam', email: 'nora@shop.test' }
  await call(scene.url, 'PUT', `/api/customers/${customer_id}`, { customer }, scene.token)
  await page.goto(`${scene.url}/conversations/all/${id}`)
  await page.getByRole('button', { name: 'Add to HubSpot' }).click(ROOM)
  await expect(page.getByText('Successfully added to HubSpot.')).toBeVisible(ROOM)
  await expect(page.getByRole('link', { name: 'View in HubSpot' })).toHaveAttribute(
    'href',
    /\/contacts\/62515\/contact\//,
  )
  await page.getByRole('button', { name: 'Add to Intercom' }).click()
  await expect(page.getByText('Successfully added to Intercom.')).toBeVisible(ROOM)
  expect(hubspot.contacts[0]!.properties).toMatchObject({ firstname: 'Nora', lastname: 'Beam' })
  await expectNoFindings(page)
  // Expected: refused consent, a foreign redirect and a wrong token.
  expect(faults.filter((fault) => !/status of 40[013]|status of 422/.test(fault))).toEqual([])
})

test('admins connect GitHub, and an issue is filled in from there', async () => {
  const githubIssue = github.addIssue('acme/shop', 'Lamp flickers at night')
  const { page, faults } = await openSignedIn(scene, '/integrations/github')
  const connect = page.getByRole('button', { name: 'Connect with a GitHub app' })
  await expect(connect).toBeVisible()
  await expectNoFindings(page)
  await connect.click()
  await expect(page.getByRole('button', { name: 'Continue to GitHub' })).toBeVisible(ROOM)
  await expectNoFindings(page)
  await page.goto(`${scene.url}/integrations/github`)
  await page.getByLabel('Token', { exact: true }).fill(PERSONAL_TOKEN)
  await page.getByRole('button', { name: 'Connect with this token' }).click()
  await expect(page.getByRole('link', { name: 'acme/shop' })).toBeVisible(ROOM)
  await expect(page.getByText('Polling every five minutes')).toBeVisible()
  const closes = page.getByRole('switch', { name: 'Close issues at GitHub too' })
  await closes.click()
  await expect(closes).toBeChecked()
  await expectNoFindings(page)

  await page.goto(`${scene.url}/issues`)
  await page.getByRole('button', { name: 'New issue' }).first().click(ROOM)
  const sync = page.getByRole('button', { name: 'Sync with GitHub' })
  await page.getByPlaceholder('github.com/my/repo/issues/123').fill('github.com/acme/shop')
  await expect(sync).toBeDisabled()
  await page.getByPlaceholder('github.com/my/repo/issues/123').fill(githubIssue.html_url)
  await sync.click()
  await expect(page.getByRole('dialog').getByLabel('Title')).toHaveValue('Lamp flickers at night', ROOM)
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Lamp flickers at night' })).toBeVisible(ROOM)
  expect(faults).toEqual([])
})

test('a Google OAuth client is entered once, for Gmail of an inbox and for Sheets', async () => {
  const { page, faults } = await openSignedIn(scene, `/inboxes/${inbox_id}/integrations/google/gmail`)
  await expect(page.getByText('beta', { exact: true })).toBeVisible(ROOM)
  await expect(page.getByText('Enter the app below first.')).toBeVisible()
  await expectNoFindings(page)
  await page.getByLabel('Client ID').fill('1234.apps.googleusercontent.com')
  await page.getByLabel('Client secret').fill(google.settings.GOOGLE_CLIENT_SECRET!)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The app is saved.')).toBeVisible(ROOM)
  const connect = page.getByRole('button', { name: 'Connect', exact: true })
  await connect.hover()
  await expect(page.getByRole('tooltip')).toHaveText('Google verification is pending.')
  await connect.click()
  await expect(page.getByText(GMAIL_ADDRESS).first()).toBeVisible(ROOM)
  await expect(page).toHaveURL(`${scene.url}/inboxes/${inbox_id}/integrations/google/gmail`)
  await expect(page.getByText('Last synced')).toBeVisible()
  await expectNoFindings(page)

  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`${scene.url}/integrations/google/sheets`)
  await expect(page.getByText('alpha', { exact: true })).toBeVisible(ROOM)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const rows = page.getByRole('switch', { name: 'Add a row for each new customer' })
  await rows.click(ROOM)
  await expect(page.getByRole('link', { name: 'Open in Google Sheets' })).toBeVisible(ROOM)
  await expect(rows).toBeChecked()
  await expectNoFindings(page)

  await page.goto(`${scene.url}/settings/profile`)
  await page.getByRole('button', { name: 'Connect Gmail' }).click(ROOM)
  await expect(page.getByRole('region', { name: 'Your Gmail' }).getByText(GMAIL_ADDRESS)).toBeVisible(ROOM)
  expect(faults).toEqual([])
})

test('a Twilio number is checked before it is connected, and its page shows its state', async () => {
  const { page, faults } = await openSignedIn(scene, `/inboxes/${inbox_id}/integrations/twilio`)
  await expect(page.getByText('Not connected').first()).toBeVisible(ROOM)
  await expect(page.getByPlaceholder('+12025550100')).toBeVisible()
  await expectNoFindings(page)
  await page.getByLabel('Phone number').fill(NUMBER)
  await page.getByLabel('Account SID').fill(ACCOUNT_SID)
  await page.getByLabel('Auth token', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const refused = 'Invalid Twilio authorization details. Please check the inputs above and try again.'
  await expect(page.getByRole('alert').filter({ hasText: refused })).toBeVisible(ROOM)
  await page.getByLabel('Auth token', { exact: true }).fill(AUTH_TOKEN)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('••••ilio').first()).toBeVisible(ROOM)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('The connection works.')).toBeVisible(ROOM)
  const service = page.getByLabel('Messaging service SID')
  await service.fill(`MG${'0'.repeat(32)}`)
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect(page.getByText('This account has no such messaging service.')).toBeVisible(ROOM)
  await expect(service).toHaveAttribute('aria-invalid', 'true')
  await expectNoFindings(page)
  await service.fill(twilio.service_sid)
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect(page.getByText(twilio.service_sid)).toBeVisible(ROOM)
  const sender = page.getByLabel('WhatsApp sender')
  await sender.fill('+12025550199')
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect(page.getByText('Twilio shows no WhatsApp sender with this number')).toBeVisible(ROOM)
  await expect(sender).toHaveAttribute('aria-invalid', 'true')
  await expectNoFindings(page)
  await sender.fill(NUMBER)
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect(page.getByRole('definition').filter({ hasText: NUMBER })).toHaveCount(2, ROOM)

  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`${scene.url}/integrations/twilio`)
  await expect(page.getByText(ACCOUNT_SID).first()).toBeVisible(ROOM)
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Not connected').first()).toBeVisible(ROOM)
  expect(faults).toEqual([])
})
