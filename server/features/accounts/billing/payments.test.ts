import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { billing } from '#contract/accounts/billing.ts'
import { mails } from '#contract/mail/mails.ts'
import { startStripe } from '#tests/emulators/stripe.ts'
import { makeCustomer } from '#tests/emulators/stripe-objects.ts'
import { billingWith } from '#tests/support/billing.ts'
import { bystandersMayChange } from '#tests/support/bystanders/watched.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { PASSWORD } from '#tests/support/world.ts'
import { endGrace, syncEverybody } from './ending.ts'

const stripe = await startStripe()
const test = base.extend('env', { scope: 'file' }, stripe.settings)
afterAll(() => stripe.close())

const { ledger } = stripe
const { open, saveCard, choose, read, customerOf, subscriptionsOf, chargesOf, openPaying } = billingWith(stripe)

test('a declined first payment does not activate the plan; another card pays it at once', async ({ as }) => {
  const { call, email } = await open(as, 'Declined')
  await saveCard(call, '4000000000000341')
  await choose(call, 'lite')
  await call(billing.cancel)
  await expect(choose(call, 'lite')).rejects.toMatchObject({ status: 402, message: expect.stringContaining('card') })
  expect(await read(call)).toMatchObject({
    subscription_plan: 'starter',
    subscription: { status: 'incomplete' },
    payment_url: expect.stringContaining('/invoices/'),
  })
  await expect(saveCard(call, '4000000000000341')).rejects.toMatchObject({
    status: 402,
    message: 'Your card was declined.',
  })
  await saveCard(call)
  expect(await read(call)).toMatchObject({
    subscription_plan: 'lite',
    subscription: { status: 'active' },
    payment_url: null,
  })
  expect(chargesOf(email)).toHaveLength(1)
})

test('a payment to which the bank wants consent leads to the page where it is given', async ({ as, server }) => {
  const { call, email } = await open(as, 'Consenting')
  await saveCard(call, '4000002760003184')
  await choose(call, 'lite')
  ledger.renew(subscriptionsOf(email)[0]!.id)
  await stripe.deliverAll(server.url)
  await expect.poll(async () => (await read(call)).payment_url).toContain('/invoices/')
  expect(await read(call)).toMatchObject({ subscription_plan: 'lite', subscription: { status: 'past_due' } })
})

test('an event without a valid signature is refused, and a repeated one is processed once', async ({ as, server }) => {
  const { account_id } = await openPaying(as, server, 'Signed')
  const event = ledger.events.at(-1)!
  expect(await stripe.deliverEvent(server.url, event, 't=1,v1=00')).toBe(401)
  expect(await stripe.deliverEvent(server.url, event, '')).toBe(401)
  const { db } = server.context
  const count = async () =>
    (await db.selectFrom('billing_events').select('id').where('account_id', '=', account_id).execute()).length
  const jobs = async () => {
    const { rows } = await sql`
      select id from jobs.job where name = 'billing.sync' and data ->> 'account_id' = ${account_id}`.execute(db)
    return rows.length
  }
  const [before, followed] = [await count(), await jobs()]
  for (let time = 0; time < 3; time++) expect(await stripe.deliverEvent(server.url, event)).toBe(200)
  expect(await count()).toBe(before)
  expect(await jobs()).toBe(followed)
  expect(followed).toBeGreaterThan(0)
  expect(
    await stripe.deliverEvent(server.url, {
      id: 'evt_x',
      type: 'invoice.paid',
      data: { object: { customer: 'cus_of_others' } },
    }),
  ).toBe(200)
})

test('events may come in any order, because the current state is read from Stripe', async ({ as, server }) => {
  const { call, email } = await open(as, 'Shuffled')
  await saveCard(call)
  await choose(call, 'lite')
  const { id } = subscriptionsOf(email)[0]!
  const from = ledger.events.length
  ledger.change(id, { items: [{ id: ledger.subscription(id).items.data[0]!.id, price: 'price_of_prod_team' }] })
  ledger.cancel(id)
  for (const event of ledger.events.slice(from).toReversed()) await stripe.deliverEvent(server.url, event)
  await expect.poll(async () => (await read(call)).subscription).toBeNull()
  expect(await read(call)).toMatchObject({ subscription_plan: 'starter' })
})

test('once a day every customer is read from Stripe, in case an event never came', async ({ as, server }) => {
  await openPaying(as, server, 'Unheard')
  bystandersMayChange({ tables: ['billing_accounts', 'events'] })
  const { db } = server.context
  const paying = () =>
    db
      .selectFrom('billing_accounts')
      .select(['stripe_customer', 'stored_reading'])
      .where('stripe_customer', 'is not', null)
      .execute()
  // The bystanders have subscriptions, too: those that could not be read are tried again while other tests run.
  for (const { stripe_customer } of await paying()) {
    const id = stripe_customer!
    if (!ledger.customers.has(id)) ledger.customers.set(id, { ...makeCustomer({}), id })
  }
  const readings = async () => (await paying()).map(({ stored_reading }) => stored_reading).toSorted((a, b) => a - b)
  const before = await readings()
  expect(before[0]).toBe(0)
  await syncEverybody(server.context)
  await expect.poll(async () => (await readings())[0]).toBe(1)
  expect(await readings()).toHaveLength(before.length)
})

test('a failed payment is shown and mailed, and the plan stays for the days of grace', async ({ as, server }) => {
  const { call, email, subscription_id } = await openPaying(as, server, 'Failing')
  await saveCard(call, '4000000000000341')
  ledger.renew(subscription_id)
  await stripe.deliverAll(server.url)
  await expect.poll(async () => (await read(call)).payment_failed_at).not.toBeNull()
  const { grace_until, payment_failed_at, subscription_plan, payment_url } = await read(call)
  expect(subscription_plan).toBe('lite')
  expect(Date.parse(grace_until!) - Date.parse(payment_failed_at!)).toBe(14 * 86_400_000)
  expect(payment_url).toContain('/invoices/')
  const subjects = async () =>
    (await call(mails.list)).data.filter(({ kind }) => kind === 'billing').map(({ subject }) => subject)
  expect(await subjects()).toEqual(['Your payment for Parley has failed'])

  // Stripe gives up before the grace period is over: the plan stays.
  ledger.cancel(subscription_id, 'payment_failed')
  await stripe.deliverAll(server.url)
  await expect.poll(async () => (await read(call)).subscription?.status).toBe('canceled')
  expect((await read(call)).subscription_plan).toBe('lite')
  await endGrace(server.context, new Date())
  expect((await read(call)).subscription_plan).toBe('lite')

  await server.context.db
    .updateTable('billing_accounts')
    .set({ grace_until: new Date(Date.now() - 1_000).toISOString() })
    .where('stripe_customer', '=', customerOf(email))
    .execute()
  await endGrace(server.context, new Date())
  await expect.poll(async () => (await read(call)).subscription_plan).toBe('starter')
  expect(await read(call)).toMatchObject({ subscription: null, payment_failed_at: null, grace_until: null })
  expect(await subjects()).toContain('Your account is on the Starter plan now')
})

test('a subscription that Stripe still tries to charge after the days of grace is ended', async ({ as, server }) => {
  const { call, email, subscription_id } = await openPaying(as, server, 'Overdue', 'team')
  await saveCard(call, '4000000000000341')
  ledger.renew(subscription_id)
  await stripe.deliverAll(server.url)
  await expect.poll(async () => (await read(call)).grace_until).not.toBeNull()
  await server.context.db
    .updateTable('billing_accounts')
    .set({ grace_until: new Date(Date.now() - 1_000).toISOString() })
    .where('stripe_customer', '=', customerOf(email))
    .execute()
  await endGrace(server.context, new Date())
  await expect.poll(() => ledger.subscription(subscription_id).status).toBe('canceled')
  await expect.poll(async () => (await read(call)).subscription_plan).toBe('starter')
  const sent = (await call(mails.list)).data.filter(({ kind }) => kind === 'billing')
  expect(sent).toHaveLength(2)
})

test('whoever pays within the days of grace keeps the plan, and the warning disappears', async ({ as, server }) => {
  const { call, email, subscription_id } = await openPaying(as, server, 'Rescued')
  await saveCard(call, '4000000000000341')
  ledger.renew(subscription_id)
  await stripe.deliverAll(server.url)
  await expect.poll(async () => (await read(call)).grace_until).not.toBeNull()
  await saveCard(call)
  expect(await read(call)).toMatchObject({ subscription_plan: 'lite', payment_failed_at: null, grace_until: null })
  expect(chargesOf(email)).toHaveLength(2)
})

test('closing an account ends its subscription', async ({ as, server }) => {
  const { email, call, subscription_id } = await openPaying(as, server, 'Closing')
  await call(authSessions.me)
  await server.request('DELETE', '/api/accounts/me', {
    token: (await as.anybody(authSessions.signIn, { body: { user: { email, password: PASSWORD } } })).data.token,
    body: { company_name: 'Closing' },
  })
  await expect.poll(() => ledger.subscription(subscription_id).status).toBe('canceled')
})
