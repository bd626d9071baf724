import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StripeEmulator, startStripe } from './emulators/stripe.ts'
import type { CardNumber } from './emulators/stripe-objects.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import type { Json } from './support/server.ts'
import { freePort, ServerProcess } from './support/server-process.ts'

let stripe: StripeEmulator
let database: FreshDatabase
let server: ServerProcess
let dataDir: string
let token: string
let url: string

beforeAll(async () => {
  stripe = await startStripe()
  database = await freshDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'parley-billing-'))
  const settings = { TEST_DATABASE: JSON.stringify(database.connection), ...stripe.settings }
  server = new ServerProcess(await freePort(), dataDir, settings)
  url = (await server.start()).url
  const password = 'correct horse battery'
  const user = { company_name: 'Acme', email: 'ada@walk.test', password, password_confirmation: password }
  token = (await callApi('POST', '/api/registration', { user })).data.token
})
afterAll(async () => {
  await server.stop()
  await database.drop()
  await stripe.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function callApi(method: string, path: string, body?: object): Promise<Json> {
  const headers = { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: token }) }
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
  return answer.json()
}

const read = async () => (await callApi('GET', '/api/billing')).data
const saveCard = (number?: CardNumber) =>
  callApi('POST', '/api/payment_methods', { payment_method: { id: stripe.addCard(number).id } })
/** A job that was running when its server was killed is retried after its time limit of a minute. */
const TAKEN_UP_AGAIN = { timeout: 120_000 }
const subscriptions = () => [...stripe.ledger.subscriptions.values()]

/** Kills the server during a call to Stripe: Stripe carries the call out, but nobody receives its answer. */
async function killDuring(call: string, request: () => Promise<unknown>) {
  const before = stripe.requests.length
  stripe.stall(call)
  const cut = request().catch(() => 'cut')
  const [method, path] = call.split(' ')
  await expect
    .poll(
      () => stripe.requests.slice(before).some((entry) => entry.method === method && entry.path.startsWith(path!)),
      {
        timeout: 60_000,
      },
    )
    .toBe(true)
  await server.killAndRestart()
  expect(await cut).toBe('cut')
}

test('trial, card, plan, failed payment and cancellation work although the server is killed in between, and nothing is charged twice', async () => {
  await killDuring('POST /v1/customers', () => saveCard())
  expect((await saveCard()).data).toMatchObject({ last4: '4242' })
  expect(stripe.ledger.customers.size).toBe(1)

  await killDuring('POST /v1/subscriptions', () => callApi('POST', '/api/billing', { plan: 'lite' }))
  expect(await callApi('POST', '/api/billing', { plan: 'lite' })).toEqual({ data: { ok: true } })
  expect(subscriptions()).toHaveLength(1)
  expect(await read()).toMatchObject({ subscription_plan: 'lite', subscription: { status: 'trialing' } })

  const { id } = subscriptions()[0]!
  await killDuring(`POST /v1/subscriptions/${id}`, () => callApi('PUT', '/api/billing', { plan: 'team' }))
  await callApi('PUT', '/api/billing', { plan: 'team' })
  expect(await read()).toMatchObject({ subscription_plan: 'team' })

  // The trial is over. The server is down when Stripe sends the event, so Stripe sends it again.
  stripe.ledger.renew(id)
  await server.kill()
  await expect(stripe.deliverEvent(url, stripe.ledger.events.at(-1)!)).rejects.toThrow()
  await server.start()
  await stripe.deliverAll(url)
  await expect.poll(async () => (await read()).subscription.status, TAKEN_UP_AGAIN).toBe('active')
  expect(stripe.ledger.charges).toMatchObject([{ amount: 24_900 }])

  // Next month's payment fails. The server is killed right after it accepted the event, and still acts on it.
  await saveCard('4000000000000341')
  stripe.ledger.renew(id)
  await stripe.deliverAll(url)
  await server.killAndRestart()
  await expect.poll(async () => (await read()).payment_failed_at, TAKEN_UP_AGAIN).not.toBeNull()
  expect((await read()).subscription_plan).toBe('team')
  const { data: mails } = await callApi('GET', '/api/mails')
  expect(mails.filter(({ kind }: Json) => kind === 'billing')).toHaveLength(1)

  // A valid card pays the open invoice once, although the server is killed meanwhile.
  await killDuring('POST /v1/invoices', () => saveCard())
  await stripe.deliverAll(url)
  await expect.poll(async () => (await read()).payment_failed_at, TAKEN_UP_AGAIN).toBeNull()
  expect(stripe.ledger.charges.map(({ amount }) => amount)).toEqual([24_900, 24_900])

  await killDuring(`DELETE /v1/subscriptions/${id}`, () => callApi('DELETE', '/api/billing'))
  await stripe.deliverAll(url)
  await expect.poll(async () => (await read()).subscription, TAKEN_UP_AGAIN).toBeNull()
  expect(await read()).toMatchObject({ subscription_plan: 'starter', subscription: null, payment_failed_at: null })
  expect(subscriptions().map(({ status }) => status)).toEqual(['canceled'])
  expect(stripe.ledger.charges).toHaveLength(2)
  expect(stripe.repeats).toBeGreaterThan(0)
}, 480_000)
