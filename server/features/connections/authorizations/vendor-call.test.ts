import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVendor, type Vendor, type VendorAnswer } from '#tests/emulators/vendor.ts'
import { RetryLater } from '../../../integration.ts'
import { createOutbound, type Outbound, OutboundFailed } from '../../../platform/outbound/outbound.ts'
import { asRefusal, callVendor, TokenRefused, type VendorCall, VendorRefused } from './vendor-call.ts'

let vendor: Vendor
let elsewhere: Vendor
let outbound: Outbound
beforeAll(async () => {
  elsewhere = await startVendor(() => ({ body: { here: true } }))
  vendor = await startVendor(({ path }) =>
    path === '/moved'
      ? { status: 301, headers: { location: `${elsewhere.url}/new` } }
      : path === '/text'
        ? { body: 'no JSON' }
        : { body: { ok: true } },
  )
  // Without a guard, as for addresses from the operator's settings, which may be private.
  outbound = createOutbound([])
})
afterAll(() => Promise.all([vendor.close(), elsewhere.close(), outbound.close()]))

const callAcme = (more: Partial<VendorCall> = {}) =>
  callVendor(outbound, { vendor: 'Acme', url: `${vendor.url}/thing`, token: 'secret', ...more })

/** The result of a call of either kind, given the response. */
async function outcomeOf(answer: VendorAnswer, method: 'GET' | 'POST' = 'GET'): Promise<unknown> {
  vendor.fail(`${method} /thing`, answer)
  return callAcme({ method }).catch((error: unknown) => error)
}

const secondsFromNow = (at: Date | undefined) => Math.round((at!.getTime() - Date.now()) / 1000)

test('the waiting time a vendor requests is respected, in every format, up to one hour', async () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)
  const answers: [VendorAnswer, number][] = [
    [{ status: 429, headers: { 'retry-after': '40' } }, 40],
    [{ status: 429, headers: { 'retry-after': inSeconds(90).toUTCString() } }, 90],
    [{ status: 429, headers: { 'retry-after': '86400' } }, 3600],
    [{ status: 429 }, 60],
    [{ status: 429, headers: { 'retry-after': 'soon' } }, 60],
    [{ status: 403, headers: { 'retry-after': '40' } }, 40],
    [
      {
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 300) },
      },
      300,
    ],
  ]
  for (const [answer, seconds] of answers) {
    const later = (await outcomeOf(answer)) as RetryLater
    expect(later, JSON.stringify(answer)).toBeInstanceOf(RetryLater)
    expect(later).toMatchObject({
      restsAll: true,
      message: 'Acme limits the number of requests. It will be retried later.',
    })
    expect(Math.abs(secondsFromNow(later.at) - seconds)).toBeLessThan(20)
  }
})

test('refusals of a vendor are final, refused tokens need a new connection, and server errors are retried', async () => {
  const refused = await outcomeOf({ status: 400, body: { error: { message: 'No such field' } } })
  expect(refused).toBeInstanceOf(VendorRefused)
  expect(refused).toMatchObject({ status: 400, message: 'Acme refused it: No such field.' })
  expect(await outcomeOf({ status: 404, body: { errors: [{ message: 'Gone!' }] } })).toMatchObject({
    message: 'Acme refused it: Gone.',
  })
  expect(await outcomeOf({ status: 403, body: 'plain' })).toMatchObject({ message: 'Acme refused it (403).' })
  expect(await outcomeOf({ status: 401 })).toBeInstanceOf(TokenRefused)
  expect(await outcomeOf({ status: 503 })).toMatchObject({ restsAll: false, message: expect.stringContaining('503') })
})

test('whoever waits for a call is told to try again, because nothing else does', async () => {
  for (const status of [429, 500]) {
    expect(asRefusal(await outcomeOf({ status }))).toMatchObject({
      message: expect.stringMatching(/ Try again later\.$/),
    })
  }
})

test('a request without a response is retried, unless it may have changed something', async () => {
  vendor.hang('GET /thing')
  await expect(callAcme({ timeout_ms: 200 })).rejects.toBeInstanceOf(RetryLater)
  vendor.hang('POST /thing')
  const error = await callAcme({ method: 'POST', json: {}, timeout_ms: 200 }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(OutboundFailed)
  vendor.lose('POST /thing')
  await expect(callAcme({ method: 'POST', json: {} })).rejects.toBeInstanceOf(OutboundFailed)
})

test('a token is sent only to the vendor, and to no other host it redirects to', async () => {
  const { body } = await callAcme({ url: `${vendor.url}/moved`, redirects: 1 })
  expect(body).toEqual({ here: true })
  expect(vendor.requestsTo('GET /moved').at(-1)!.token).toBe('secret')
  expect(elsewhere.requestsTo('GET /new').at(-1)!.token).toBeUndefined()
  expect((await callAcme({ url: `${vendor.url}/text` })).body).toBe('no JSON')
})
