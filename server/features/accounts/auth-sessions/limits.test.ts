import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createApiKey, createWorld, PASSWORD, type World } from '#tests/support/world.ts'

let database: FreshDatabase
let server: TestServer
let world: World
beforeEach(async () => {
  database = await freshDatabase()
  const unlimited = await startTestServer({}, undefined, database)
  world = await createWorld(unlimited)
  await unlimited.close()
  server = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY: '1' }, undefined, database)
})
afterEach(async () => {
  await server.close()
  await database.drop()
})

const from = (address: string) => ({ 'x-forwarded-for': address })
const signIn = (address: string, password = PASSWORD, email = world.ada.email) =>
  server.request('POST', '/api/session', { body: { user: { email, password } }, headers: from(address) })
const renew = (token: string, address = '203.0.113.1') =>
  server.request('POST', '/api/session/renew', { token, headers: from(address) })
const statuses = async (count: number, request: () => Promise<{ status: number }>) => {
  const seen = []
  for (let i = 0; i < count; i++) seen.push((await request()).status)
  return seen
}

test('ten failed sign-ins from elsewhere do not lock out the owner of an account', async () => {
  const tries = await statuses(12, () => signIn('203.0.113.66', 'guessed'))
  expect(tries).toEqual([...Array(10).fill(401), 429, 429])
  expect((await signIn('203.0.113.7')).status).toBe(200)
})

test('an attacker with a whole IPv6 network, or with an IPv4 address in two spellings, has the attempts of one address', async () => {
  let host = 0
  const scattered = await statuses(12, () => signIn(`2001:db8:0:7::${(++host).toString(16)}`, 'guessed'))
  expect(scattered.slice(10)).toEqual([429, 429])
  expect((await signIn('2001:db8:0:8::1')).status).toBe(200)
  await statuses(10, () => signIn('203.0.113.66', 'guessed'))
  expect((await signIn('::ffff:203.0.113.66', 'guessed')).status).toBe(429)
})

test('eighty invalid renewals from one address do not block a valid one', async () => {
  const dead = await statuses(80, () => renew('prn_of a colleague who was disabled'))
  expect(dead.filter((status) => status === 401)).toHaveLength(10)
  const many = await Promise.all(Array.from({ length: 80 }, () => renew(`prn_${randomBytes(32).toString('hex')}`)))
  expect(many.every(({ status }) => status === 401)).toBe(true)
  expect((await renew(world.ada.renew_token)).status).toBe(200)
  expect((await renew(world.ben.renew_token)).status).toBe(200)
})

test('a network learns ten times an hour whether an e-mail has an account, and then nothing', async () => {
  const register = (email: string, address: string) => {
    const user = { company_name: 'Curious', email, password: PASSWORD, password_confirmation: PASSWORD }
    return server.request('POST', '/api/registration', { body: { user }, headers: from(address) })
  }
  let number = 0
  for (let i = 0; i < 3; i++)
    expect((await register(`new${++number}@curious.test`, '203.0.113.9')).status, 'costs nothing').toBe(200)
  const refusals = await statuses(11, () => register(world.ada.email, '203.0.113.9'))
  expect(refusals).toEqual([...Array(10).fill(422), 429])
  expect((await register('nobody@curious.test', '203.0.113.9')).status).toBe(429)
  expect((await register('elsewhere@curious.test', '203.0.113.10')).status).toBe(200)
})

test('a reset takes equally long for unknown and known addresses', async () => {
  const time = async (email: string) => {
    const start = performance.now()
    const answer = await server.request('POST', '/api/reset_password', { body: { email } })
    expect(answer.body).toEqual({ data: { ok: true } })
    return performance.now() - start
  }
  // Both wait for the same timer, whatever their amount of work.
  expect(await time(world.ada.email)).toBeGreaterThanOrEqual(290)
  expect(await time('nobody@acme.test')).toBeGreaterThanOrEqual(290)
})

test('an address is mailed at most three reset links at once, whoever requests them, and others are not affected', async () => {
  const requestReset = (email: string) => async () =>
    server.request('POST', '/api/reset_password', { body: { email }, headers: from(`198.51.100.${++network}`) })
  let network = 0
  expect(await statuses(4, requestReset(world.ada.email))).toEqual([200, 200, 200, 429])
  expect(await statuses(1, requestReset(` ${world.ada.email.toUpperCase()}`))).toEqual([429])
  expect(await statuses(1, requestReset(world.ben.email))).toEqual([200])
})

test('a program that exceeds its rate limit is limited by its key, and its owner is not', async () => {
  const key = await createApiKey(server, world.ada.token)
  const listTags = (token: string) => server.request('GET', '/api/v1/tags', { token, headers: from('203.0.113.9') })
  const answers = await Promise.all(Array.from({ length: 400 }, () => listTags(key)))
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers['retry-after']).toBe('1')
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(300)
  expect((await listTags(world.ada.token)).status).toBe(200)
})
