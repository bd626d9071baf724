import { afterAll } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { billing } from '#contract/accounts/billing.ts'
import { startStripe } from '#tests/emulators/stripe.ts'
import { billingWith } from '#tests/support/billing.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startTestServer } from '#tests/support/server.ts'
import { PASSWORD } from '#tests/support/world.ts'

const stripe = await startStripe()
const test = base.extend('env', { scope: 'file' }, stripe.settings)
afterAll(() => stripe.close())

const { ledger } = stripe
const { open, saveCard, choose, read, actions, subscriptionsOf, chargesOf, openPaying } = billingWith(stripe)

test('an account without subscription has the starter plan, and its usage is counted', async ({ as }) => {
  const { call } = await open(as, 'Fresh')
  expect(await read(call)).toEqual({
    payment_method: null,
    subscription: null,
    product: null,
    subscription_plan: 'starter',
    num_users: 1,
    num_messages: 0,
    num_messages_this_month: 0,
    payment_failed_at: null,
    grace_until: null,
    payment_url: null,
    had_trial: false,
    has_portal: false,
  })
  expect((await call(billing.paymentMethod)).data).toBeNull()
  expect((await call(billing.invoices)).data).toEqual([])
})

test('card, plan and another plan: a trial of fourteen days, and each step in the audit trail', async ({ as }) => {
  const { call, email } = await open(as, 'Steps')
  await expect(choose(call, 'lite')).rejects.toMatchObject({ status: 422, message: expect.stringContaining('card') })
  await expect(choose(call, 'gold')).rejects.toMatchObject({ status: 422, errors: { plan: ['is invalid'] } })
  expect((await call(billing.prepareCard)).data.client_secret).toMatch(/^secret_/)
  expect(await saveCard(call)).toMatchObject({ object: 'payment_method', brand: 'visa', last4: '4242', exp_year: 2030 })
  await choose(call, 'lite')
  const { subscription, product, ...info } = await read(call)
  expect(info).toMatchObject({ subscription_plan: 'lite', payment_method: { last4: '4242' }, had_trial: true })
  expect(product).toMatchObject({ name: 'Lite', active: true })
  expect(subscription).toMatchObject({ status: 'trialing', quantity: 1, discount: null })
  expect(subscription!.prices).toMatchObject([
    { unit_amount: 9900, currency: 'usd', interval: 'month', interval_count: 1 },
  ])
  expect(Math.round((subscription!.trial_end! - subscription!.start_date) / 86_400)).toBe(14)
  await call(billing.change, { body: { plan: 'team' } })
  expect(await read(call)).toMatchObject({ subscription_plan: 'team', product: { name: 'Team' } })
  expect((await call(accounts.mine)).data.subscription_plan).toBe('team')
  await saveCard(call, '5555555555554444')
  expect((await call(billing.paymentMethod)).data).toMatchObject({ brand: 'mastercard', last4: '4444' })
  expect(await actions(call)).toEqual([
    'billing.card_changed',
    'billing.plan_changed',
    'billing.plan_changed',
    'billing.card_changed',
  ])
  expect(subscriptionsOf(email)).toHaveLength(1)
  expect(chargesOf(email)).toEqual([])
})

test('cancelling ends the subscription at once, and the account switches to the starter plan', async ({ as }) => {
  const { call, email } = await open(as, 'Leaving')
  await expect(call(billing.cancel)).rejects.toMatchObject({ status: 422 })
  await saveCard(call)
  await choose(call, 'team')
  await call(billing.cancel)
  expect(await read(call)).toMatchObject({ subscription: null, subscription_plan: 'starter' })
  expect(await actions(call)).toContain('billing.canceled')
  expect(subscriptionsOf(email).map(({ status }) => status)).toEqual(['canceled'])
  // After a return there is no second trial: it is charged.
  await choose(call, 'lite')
  expect(await read(call)).toMatchObject({
    subscription_plan: 'lite',
    subscription: { status: 'active', trial_end: null },
  })
  expect(chargesOf(email).map(({ amount }) => amount)).toEqual([9900])
  expect((await call(billing.invoices)).data).toMatchObject([
    {
      number: expect.stringMatching(/^PARLEY-/),
      status: 'paid',
      total: 9900,
      url: expect.stringContaining('/invoices/'),
    },
  ])
})

test('only admins see and change it, and nobody touches another account', async ({ as, world, server }) => {
  for (const call of [
    billing.get,
    billing.cancel,
    billing.invoices,
    billing.openPortal,
    billing.prepareCard,
  ] as const) {
    await expect(as.ben(call)).rejects.toMatchObject({ status: 401, message: 'Unauthorized access' })
  }
  await expect(as.ben(billing.subscribe, { body: { plan: 'lite' } })).rejects.toMatchObject({ status: 401 })
  const body = { payment_method: { id: 'pm_x' } }
  await expect(as.ben(billing.savePaymentMethod, { body })).rejects.toMatchObject({ status: 401 })
  const { attempt } = await server.context.db
    .selectFrom('billing_accounts')
    .select('attempt')
    .where('account_id', '=', world.acme.id)
    .executeTakeFirstOrThrow()
  expect(attempt).toBe(0)
})

test('a card of another customer is refused', async ({ as }) => {
  const [one, other] = [await open(as, 'One'), await open(as, 'Other')]
  const { id } = await saveCard(one.call)
  const stolen = other.call(billing.savePaymentMethod, { body: { payment_method: { id } } })
  await expect(stolen).rejects.toMatchObject({ status: 422, message: expect.stringContaining('another customer') })
})

test('if the response to a subscription is lost, a repeated call finds it: one subscription, no second charge', async ({
  as,
}) => {
  const { call, email } = await open(as, 'Lossy')
  await saveCard(call)
  stripe.lose('POST /v1/subscriptions', 3)
  await expect(choose(call, 'lite')).rejects.toMatchObject({ status: 503, reason: 'payment_provider_down' })
  expect(subscriptionsOf(email)).toHaveLength(1)
  await choose(call, 'lite')
  expect(subscriptionsOf(email)).toHaveLength(1)
  expect(await read(call)).toMatchObject({ subscription_plan: 'lite' })
})

test('two admins who subscribe at once create one subscription', async ({ as }) => {
  const { call, email } = await open(as, 'Twice')
  await saveCard(call)
  await Promise.allSettled([choose(call, 'lite'), choose(call, 'lite'), choose(call, 'lite')])
  expect(subscriptionsOf(email)).toHaveLength(1)
  expect(await read(call)).toMatchObject({ subscription_plan: 'lite' })
})

test('every writing call has an idempotency key', () => {
  const written = stripe.requests.filter(({ method }) => method !== 'GET')
  expect(written.length).toBeGreaterThan(20)
  expect(written.filter(({ key }) => !key)).toEqual([])
  expect(new Set(written.map(({ key }) => key)).size).toBe(written.length)
})

test('a call that Stripe does not answer in time is repeated, and carried out once', async ({ as }) => {
  const { call, email } = await open(as, 'Slow')
  await saveCard(call)
  stripe.hang('POST /v1/subscriptions')
  await choose(call, 'lite')
  expect(subscriptionsOf(email)).toHaveLength(1)
})

test('when Stripe is overloaded, the caller is refused with a time to wait', async ({ as }) => {
  const { call } = await open(as, 'Busy')
  await saveCard(call)
  stripe.fail('POST /v1/subscriptions', 429, { type: 'rate_limit_error', message: 'Too many requests' })
  await expect(choose(call, 'lite')).rejects.toMatchObject({ status: 429, reason: 'rate_limited' })
  await choose(call, 'lite')
  expect(await read(call)).toMatchObject({ subscription_plan: 'lite' })
})

test('a discount is returned as Stripe has it', async ({ as, server }) => {
  const { call, subscription_id } = await openPaying(as, server, 'Cheaper')
  ledger.discount(subscription_id, { percent_off: 25 })
  await stripe.deliverAll(server.url)
  await expect
    .poll(async () => (await read(call)).subscription?.discount)
    .toMatchObject({ percent_off: 25, amount_off: null, valid: true, name: 'Launch' })
})

test('the provider’s own pages can be used to cancel', async ({ as }) => {
  const { call } = await open(as, 'Portal')
  await expect(call(billing.openPortal)).rejects.toMatchObject({ status: 422 })
  await saveCard(call)
  expect((await call(billing.openPortal)).data.url).toContain('/portal/cus_')
})

test('products of the EU edition have names of their own', async ({ server, as }) => {
  const eu = await startTestServer({ ...stripe.settings, EU_EDITION: 'on' }, undefined, server.database)
  const { call, email } = await open(as, 'Europe')
  await saveCard(call)
  const token = (await as.anybody(authSessions.signIn, { body: { user: { email, password: PASSWORD } } })).data.token
  expect((await eu.request('POST', '/api/billing', { token, body: { plan: 'eu-lite' } })).status).toBe(200)
  expect(subscriptionsOf(email)[0]!.items.data[0]!.price.product).toBe('prod_eu_lite')
  expect(await read(call)).toMatchObject({ subscription_plan: 'lite' })
  await eu.close()
})

test('without billing the overview is empty, and the other calls do not exist', async ({ server, world }) => {
  const free = await startTestServer({}, undefined, server.database)
  const read = async (path: string) => (await free.request('GET', path, { token: world.ada.token })).body.data
  expect(await read('/api/billing')).toMatchObject({
    payment_method: null,
    subscription: null,
    product: null,
    subscription_plan: 'team',
    num_users: expect.any(Number),
    num_messages: expect.any(Number),
  })
  expect(await read('/api/payment_methods')).toBe(null)
  for (const [method, path] of [
    ['DELETE', '/api/billing'],
    ['POST', '/api/billing/card_setups'],
  ] as const) {
    expect((await free.request(method, path, { token: world.ada.token })).status, path).toBe(404)
  }
  expect(await stripe.deliverEvent(free.url, ledger.events[0]!)).toBe(401)
  await free.close()
})

test('without a Stripe key the overview works, and other calls explain what has to be configured', async ({
  server,
  as,
}) => {
  const keyless = await startTestServer({ BILLING: 'on' }, undefined, server.database)
  const { email } = await open(as, 'Keyless')
  const token = (await as.anybody(authSessions.signIn, { body: { user: { email, password: PASSWORD } } })).data.token
  expect((await keyless.request('GET', '/api/billing', { token })).body.data.subscription).toBeNull()
  const { status, body } = await keyless.request('POST', '/api/billing/card_setups', { token })
  expect([status, body.error.message]).toEqual([503, expect.stringContaining('STRIPE_SECRET_KEY')])
  await keyless.close()
})

test('after Stripe could not be read for a moment, cards are exchanged as often as somebody likes', async ({ as }) => {
  const { call } = await open(as, 'Exchanging')
  const [one, other] = [stripe.addCard(), stripe.addCard('5555555555554444')]
  const give = (id: string) => call(billing.savePaymentMethod, { body: { payment_method: { id } } })
  await give(one.id)
  for (const { id } of [other, one]) {
    stripe.fail('GET /v1/subscriptions', 403, { type: 'api_error', message: 'Not now' })
    await expect(give(id)).rejects.toMatchObject({ status: 503 })
  }
  for (const { id } of [other, one]) expect((await give(id)).data.id).toBe(id)
})
