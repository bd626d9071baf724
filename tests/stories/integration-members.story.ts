import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { CATALOGUE, type Entry, pathOf } from '../../dashboard/features/connections/integrations/catalogue.ts'
import { ADA, call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

const BEN = { ...ADA, email: 'ben@acme.test' }
let scene: Scene
let inbox_id: string
beforeAll(async () => {
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLIC_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
  scene = await setScene({}, { ...stripe, BILLING: 'on', INTEGRATIONS: 'off' })
  inbox_id = (await call(scene.url, 'GET', '/api/inboxes/primary', undefined, scene.token)).data.id
  const { data } = await call(scene.url, 'POST', '/api/user_invitations', {}, scene.token)
  const user = { ...BEN, password_confirmation: BEN.password, invite_token: data.id }
  await call(scene.url, 'POST', '/api/registration', { user })
})
afterAll(() => scene.close())

const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

/** Goes there as by a link, and waits until the page has loaded. */
async function go(page: Page, entry: Entry): Promise<void> {
  await page.evaluate(
    (path) => {
      for (const part of document.querySelectorAll('main, main *')) part.setAttribute('data-before', '')
      history.pushState({}, '', path)
      dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    },
    pathOf(entry, inbox_id),
  )
  await expect(page.locator('main').locator('h1, h2').and(page.locator(':not([data-before])')).first()).toBeVisible()
  await expect(page.locator('main [aria-busy="true"]'), entry.integration).toHaveCount(0)
}

test('members see that the pages of integrations are for admins, and nothing is requested that they may not read', async () => {
  const options = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' } as const
  const { page, faults } = await openSignedIn(scene, '/conversations/all', options, BEN)
  await expect(page.getByRole('heading', { name: 'All conversations' })).toBeVisible()
  for (const entry of CATALOGUE) {
    await go(page, entry)
    await expect(page.getByText('This screen is for admins'), entry.integration).toBeVisible()
    await expect(page.getByRole('main').getByRole('textbox'), entry.integration).toHaveCount(0)
    expectValue(faults, entry.integration).toEqual([])
  }
  await shot(page, 'member wide')
  await expectNoFindings(page)
})

const ONLY_LARGER_PLANS = 'This integration is only available on the Lite and Team subscription plans.'
const WARNED: string[] = ['gmail', 'slack:sync', 'slack', 'google_sheets']

test('on the Starter plan the pages of Slack, Gmail and Sheets say which plans include them, and forbid nothing', async () => {
  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const
  const { page, faults } = await openSignedIn(scene, '/conversations/all', options)
  await expect(page.getByRole('heading', { name: 'All conversations' })).toBeVisible()
  for (const entry of CATALOGUE.filter(({ integration }) => integration !== 'chat' && integration !== 'ses')) {
    await go(page, entry)
    await expect(page.getByText('How does it work?'), entry.integration).toBeVisible()
    await expect(page.getByText(ONLY_LARGER_PLANS), entry.integration).toHaveCount(
      WARNED.includes(entry.integration) ? 1 : 0,
    )
    expectValue(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), entry.integration).toBe(
      true,
    )
    expectValue(faults, entry.integration).toEqual([])
    await shot(page, `starter narrow ${entry.integration}`)
  }
  await go(page, CATALOGUE.find(({ integration }) => integration === 'slack')!)
  await expectNoFindings(page)
  await page.getByRole('link', { name: 'Upgrade subscription' }).click()
  await expect(page).toHaveURL(/\/settings\/billing$/)
})
