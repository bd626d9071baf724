import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type StripeEmulator, startStripe } from '#tests/emulators/stripe.ts'
import { expect, openPage } from '#tests/support/browser.ts'
import { ADA, call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

// In the order in which a company meets it: each story continues where the previous one ended.

const PATH = '/settings/billing'
let stripe: StripeEmulator
let scene: Scene
beforeAll(async () => {
  stripe = await startStripe()
  scene = await setScene({}, { ...stripe.settings, SALES_EMAIL: 'sales@parley.test' })
})
afterAll(async () => {
  await scene.close()
  await stripe.close()
})

const send = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)
const subscription = () => [...stripe.ledger.subscriptions.values()].at(-1)!
const plan = (page: Page) => page.getByRole('region', { name: 'Plan' })

function cardForm(page: Page) {
  const form = page.frameLocator('iframe[title="Credit card form"]')
  const field = form.frameLocator('iframe[title="Secure card payment input frame"]')
  return {
    form,
    field,
    async give(number: string) {
      await field.getByLabel('Card number').fill(number)
      await field.getByLabel('Expiry').fill('08 / 30')
      await field.getByLabel('CVC').fill('123')
      await form.getByRole('button', { name: 'Save card' }).click()
    },
  }
}

const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}

const LOOKS = [
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const

describe.each(LOOKS)('%s', (name, options) => {
  test('without a subscription the page says so, and compares plans', async () => {
    const { page, faults } = await openSignedIn(scene, PATH, options)
    await expect(
      page.getByText(
        'You are currently on a free trial... Please select a subscription plan to continue using your account.',
      ),
    ).toBeVisible()
    await expect(page.getByText('No credit card information has been entered yet.')).toBeVisible()
    await expect(plan(page)).toContainText('1 of 2')
    await expect(plan(page)).toContainText('0 of 1,000')
    await expectNoFindings(page)
    await shot(page, `billing ${name}`)
    await page.getByRole('button', { name: 'Select a plan' }).click()
    const picker = page.getByRole('dialog', { name: 'Select a plan' })
    for (const text of ['$49', '$99', '$249', 'Custom', '10 seats', '30-day message retention', 'Priority support']) {
      await expect(picker.getByText(text, { exact: true })).toBeVisible()
    }
    await expect(picker.getByRole('link', { name: 'Contact sales' })).toHaveAttribute(
      'href',
      'mailto:sales@parley.test',
    )
    const { width } = (await picker.locator('xpath=..').boundingBox()) ?? { width: 0 }
    if (name === 'light and wide') expect(width).toBe(1000)
    await expectNoFindings(page)
    await shot(page, `picker ${name}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await picker.getByRole('button', { name: 'Select Lite' }).click()
    const { field, form } = cardForm(page)
    await expect(field.getByLabel('Card number')).toBeVisible()
    await expect(form.getByRole('button', { name: 'Save card' })).toBeEnabled()
    await expectNoFindings(page)
    await shot(page, `card ${name}`)
    expect(faults).toEqual([])
  })
})

test('after a declined card and the bank’s confirmation the plan starts; no card number reaches our server', async () => {
  const { page, faults } = await openSignedIn(scene, PATH)
  const received: string[] = []
  page.context().on('request', (request) => {
    const { origin } = new URL(request.url())
    if (origin === scene.url) received.push(`${request.url()} ${request.postData() ?? ''}`)
  })
  await page.getByRole('button', { name: 'Select a plan' }).click()
  await page.getByRole('button', { name: 'Select Lite' }).click()
  const { give, field, form } = cardForm(page)
  await give('4000 0000 0000 0002')
  await expect(form.getByRole('alert')).toHaveText('Your card was declined.')
  await give('4000 0027 6000 3184')
  await field.getByRole('button', { name: 'Fail' }).click()
  await expect(form.getByRole('alert')).toContainText('We are unable to authenticate your payment method.')
  await give('4000 0027 6000 3184')
  await field.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByText('Success!')).toBeVisible()
  await expect(page.getByText("You've successfully updated your billing information.")).toBeVisible()
  await expect(plan(page)).toContainText('Lite')
  await expect(plan(page)).toContainText('Trial')
  await expect(plan(page)).toContainText('$99')
  await expect(page.getByText('Visa ending in 3184')).toBeVisible()
  await expect(page.getByText('You are currently on a free trial...')).toHaveCount(0)
  expect(received.some((entry) => entry.includes('/api/payment_methods'))).toBe(true)
  expect(received.filter((entry) => /4000\D?0027|4000\D?0000|3184/.test(entry))).toEqual([])
  const passedOn = stripe.requests.filter(({ path }) => !path.endsWith('/confirm'))
  expect(passedOn.filter(({ body }) => /4000\D*0027/.test(body))).toEqual([])
  // The 402 responses to declined cards are expected.
  expect(faults.filter((fault) => !fault.includes('402'))).toEqual([])
})

test('only the card’s page may load anything of the provider', async () => {
  const policyOf = async (path: string) => (await fetch(scene.url + path)).headers.get('content-security-policy') ?? ''
  const { origin } = new URL(stripe.url)
  for (const rule of ['script-src', 'frame-src', 'connect-src']) {
    expect(await policyOf('/settings/billing/card')).toMatch(new RegExp(`${rule} 'self'[^;]* ${origin}`))
  }
  for (const path of [PATH, '/', '/pricing', '/conversations/all']) expect(await policyOf(path)).not.toContain(origin)
})

test('the plan is changed; errors of the provider are shown inline', async () => {
  const { page, faults } = await openSignedIn(scene, PATH)
  await page.getByRole('button', { name: 'Change plan' }).click()
  const picker = page.getByRole('dialog', { name: 'Select a plan' })
  await expect(picker.getByRole('button', { name: 'Current plan' })).toBeDisabled()
  stripe.fail('POST /v1/subscriptions/', 402, { type: 'card_error', message: 'Your card has insufficient funds.' })
  await picker.getByRole('button', { name: 'Select Team' }).click()
  await expect(picker.getByRole('alert')).toHaveText('Your card has insufficient funds.')
  await picker.getByRole('button', { name: 'Select Team' }).click()
  await expect(picker).toHaveCount(0)
  await expect(plan(page)).toContainText('Team')
  await expect(plan(page)).toContainText('1 of 10')
  await expect(plan(page)).toContainText('0, unlimited')
  expect(faults.filter((fault) => !fault.includes('402'))).toEqual([])
})

test('invoices, a discount and the next date appear when the provider reports them', async () => {
  const { page, faults } = await openSignedIn(scene, PATH)
  await expect(page.getByText('No invoices yet.')).toBeVisible()
  stripe.ledger.renew(subscription().id)
  stripe.ledger.discount(subscription().id, { percent_off: 10 })
  await stripe.deliverAll(scene.url)
  await expect(plan(page)).toContainText('Active')
  await expect(plan(page)).toContainText('Launch: 10 % off')
  await expect(plan(page)).toContainText('$224.10')
  await expect(plan(page)).toContainText('Next billing date')
  const row = page.getByRole('table', { name: 'Invoices' }).getByRole('row').nth(1)
  await expect(row).toContainText('$249')
  await expect(row).toContainText('Paid')
  await expect(row.getByRole('link')).toHaveAttribute('href', /\/invoices\/in_/)
  await expectNoFindings(page)
  await shot(page, 'paying')
  await page.getByRole('button', { name: 'Manage on Stripe' }).click()
  await expect(page.getByRole('heading', { name: 'A page of Stripe' })).toBeVisible()
  expect(faults).toEqual([])
})

test('a discount of an amount is shown in its own currency, and one that has ended is not shown', async () => {
  const { page } = await openSignedIn(scene, PATH)
  stripe.ledger.discount(subscription().id, { amount_off: 5000, currency: 'eur' })
  await stripe.deliverAll(scene.url)
  await expect(plan(page)).toContainText('Launch: €50 off')
  await expect(plan(page)).not.toContainText('$50')
  stripe.ledger.discount(subscription().id, { percent_off: 10, valid: false })
  await stripe.deliverAll(scene.url)
  await expect(plan(page)).not.toContainText('Launch')
  await expect(plan(page)).toContainText('$249')
})

describe.each(LOOKS)('%s', (name, options) => {
  test('a failed payment is shown above every page to admins, with a link to pay', async () => {
    if (name === 'light and wide') {
      const { data } = await send('GET', '/api/payment_methods')
      stripe.ledger.cards.get(data.id)!.behaviour = 'fails when charged'
      stripe.ledger.renew(subscription().id)
      await stripe.deliverAll(scene.url)
    }
    const { page, faults } = await openSignedIn(scene, '/customers', options)
    const banner = page.getByRole('status').filter({ hasText: 'Your last payment has failed.' })
    await expect(banner).toBeVisible()
    await expect(banner.getByRole('link', { name: 'Pay the invoice' })).toHaveAttribute('href', /\/invoices\/in_/)
    await expectNoFindings(page)
    await shot(page, `failed ${name}`)
    await banner.getByRole('link', { name: 'Open billing' }).click()
    await expect(plan(page)).toContainText('Payment failed')
    await expect(plan(page)).toContainText('Team')
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(faults).toEqual([])
  })
})

test('another card pays the open invoice, and the banner disappears', async () => {
  const { page } = await openSignedIn(scene, PATH)
  await page.getByRole('button', { name: 'Update card' }).click()
  await cardForm(page).give('5555 5555 5555 4444')
  await expect(page.getByText('Mastercard ending in 4444')).toBeVisible()
  await expect(page.getByText('Your last payment has failed.')).toHaveCount(0)
  await expect(plan(page)).toContainText('Active')
})

test('the subscription is canceled after confirmation; teams that use more than the smaller plan allows are warned with a date', async () => {
  for (const name of ['ben', 'cy']) {
    const { data } = await send('POST', '/api/user_invitations')
    const user = { email: `${name}@acme.test`, password: ADA.password, password_confirmation: ADA.password }
    await send('POST', '/api/registration', { user: { ...user, invite_token: data.token } })
  }
  const { page, faults } = await openSignedIn(scene, PATH)
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await expect(plan(page)).toContainText('Team')
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByRole('button', { name: 'Yes, cancel' }).click()
  await expect(page.getByText('Your subscription has been canceled.')).toBeVisible()
  await expect(plan(page)).toContainText('Starter')
  await expect(page.getByText('Please select a subscription plan to continue using your account.')).toBeVisible()
  await expect(page.getByText('You are currently on a free trial...')).toHaveCount(0)
  const now = new Date()
  const first = new Date(now.getFullYear(), now.getMonth() + 1, 1)
  const month = first.toLocaleString('en-US', { month: 'long' })
  await expect(
    page.getByText(
      `It looks like you've exceeded the limits of your current plan. Please upgrade by ${month} 01, ${first.getFullYear()} to prevent any features from disabling!`,
    ),
  ).toBeVisible()
  await expect(page.getByText('Your plan includes 2 users, and you have 3.')).toBeVisible()
  await expectNoFindings(page)
  await shot(page, 'exceeded')
  expect(faults).toEqual([])
})

test('if the plan has no seat left, the notice links to billing', async () => {
  const { page } = await openSignedIn(scene, '/settings/team')
  await page.getByRole('button', { name: 'Generate invite URL' }).click()
  await expect(page.getByText('Please upgrade to add more users!')).toBeVisible()
  await expect(page.getByText("You've hit the user limit for our free tier.")).toBeVisible()
  await page.getByRole('button', { name: 'Upgrade subscription' }).click()
  await expect(page).toHaveURL(/\/settings\/billing$/)
})

test('pages of features that the Starter plan does not include say so, and forbid nothing', async () => {
  const { page } = await openSignedIn(scene, '/integrations/slack/reply')
  await expect(
    page.getByText('This integration is only available on the Lite and Team subscription plans.'),
  ).toBeVisible()
  for (const [path, plans] of Object.entries({
    '/notes': 'Lite and Team subscription plans',
    '/developers/event-subscriptions': 'Team subscription plan',
    '/sessions/list': 'Team subscription plan',
  })) {
    await page.goto(scene.url + path)
    await expect(page.getByText(`This feature is only available on the ${plans}.`)).toBeVisible()
  }
  await expect(page.getByText('Nobody is on your website right now')).toBeVisible()
  await page.goto(`${scene.url}/settings/email-forwarding`)
  await expect(
    page.getByText('Email forwarding will only be available on the Lite and Team subscription plans.'),
  ).toBeVisible()
  await expectNoFindings(page)
  await page.getByRole('link', { name: 'Sign up for a free trial!' }).click()
  await expect(page).toHaveURL(/\/settings\/billing$/)
})

test('if billing cannot be loaded, the page says so and offers to retry', async () => {
  const { page } = await openSignedIn(scene, '/customers')
  await page.route('**/api/billing', (route) => route.abort())
  await page.goto(scene.url + PATH)
  await expect(page.getByText('Billing could not be loaded')).toBeVisible({ timeout: 40_000 })
  await page.unroute('**/api/billing')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(plan(page)).toBeVisible()
})

test('if the provider’s script cannot be loaded, the card form says what to check', async () => {
  const { page } = await openSignedIn(scene, PATH)
  await page.route('**/stripe.js', (route) => route.abort())
  await page.getByRole('button', { name: 'Update card' }).click()
  const { form } = cardForm(page)
  await expect(form.getByRole('alert')).toContainText('The card form could not be loaded.')
  await expect(form.getByRole('button', { name: 'Save card' })).toBeDisabled()
})

test('in Vietnamese', async () => {
  const { page, faults } = await openSignedIn(scene, '/login')
  await page.evaluate(() => localStorage.setItem('parley.language', 'vi'))
  await page.goto(scene.url + PATH)
  await expect(page.getByRole('heading', { name: 'Thanh toán', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Chọn gói' }).click()
  await expect(page.getByRole('button', { name: 'Chọn Lite' })).toBeVisible()
  await expect(page.getByText('Lưu tin nhắn 30 ngày')).toBeVisible()
  await shot(page, 'vietnamese')
  expect(faults).toEqual([])
})

test('members see that billing is for admins', async () => {
  const { data } = await call(scene.url, 'POST', '/api/session', {
    user: { email: 'ben@acme.test', password: ADA.password },
  })
  const { page } = await openSignedIn(scene, '/login')
  await page.evaluate(
    (tokens) => localStorage.setItem('parley.session', JSON.stringify({ ...tokens, renewed_at: Date.now() })),
    data,
  )
  await page.goto(scene.url + PATH)
  await expect(page.getByRole('heading', { name: 'This screen is for admins' })).toBeVisible()
})

describe.each(LOOKS)('%s', (name, options) => {
  test('the page of prices is accessible', async () => {
    const { page, faults } = await openPage(scene.browser, options)
    await page.goto(`${scene.url}/pricing`)
    await expect(page.getByRole('heading', { name: 'Pricing' })).toBeVisible()
    await expect(page.getByText('$249')).toBeVisible()
    await expectNoFindings(page)
    await shot(page, `pricing ${name}`)
    await page.getByRole('link', { name: 'Start free trial' }).first().click()
    await expect(page).toHaveURL(/\/register$/)
    expect(faults).toEqual([])
    await page.context().close()
  })
})

test('without billing there are no prices, no page and no plan', async () => {
  const free = await setScene()
  try {
    const { page } = await openSignedIn(free, '/settings/widget')
    await page.goto(`${free.url}/pricing`)
    await expect(page).toHaveURL(/\/conversations\/all$/)
    await page.goto(free.url + PATH)
    await expect(page.getByRole('heading', { name: 'Billing' })).toHaveCount(0)
    await page.goto(`${free.url}/settings/audit`)
    await expect(page.getByRole('heading', { name: 'Audit trail' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Billing' })).toHaveCount(0)
    await expect(page.getByRole('option', { name: 'Billing' })).toHaveCount(0)
    await page.goto(`${free.url}/integrations/slack`)
    await expect(page.getByText('subscription plans')).toHaveCount(0)
  } finally {
    await free.close()
  }
})
