import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, PASSWORD, type World } from '#tests/support/world.ts'
import { codeAt, stepOfCode } from './totp.ts'

let server: TestServer
let world: World
let secret: string
let recovery_codes: string[]
beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (method: string, body?: object) =>
  server.request(method, '/api/two_factor', { token: world.ada.token, body })
const signIn = (code?: string) =>
  server.request('POST', '/api/session', { body: { user: { email: world.ada.email, password: PASSWORD, code } } })
const step = () => Math.floor(Date.now() / 30_000)

// The test vectors of RFC 6238, appendix B, whose secret is the text 12345678901234567890; the last six of its digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('at second %d the code is %s', (second, code) => {
  const known = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect(codeAt(known, Math.floor(second / 30))).toBe(code)
  expect(stepOfCode(known, ` ${code.slice(0, 3)} ${code.slice(3)} `, second * 1000)).toBe(Math.floor(second / 30))
  expect(stepOfCode(known, code, (second + 61) * 1000)).toBeUndefined()
})

test('the secret is told to who knows the password, and counts once a code was confirmed', async () => {
  expect((await ask('POST', { password: 'guessed' })).body.error.errors).toEqual({ current_password: ['is invalid'] })
  const { body } = await ask('POST', { password: PASSWORD })
  secret = body.data.secret
  expect(body.data.uri).toBe(`otpauth://totp/Parley:ada%40acme.test?secret=${secret}&issuer=Parley`)
  expect((await signIn()).status).toBe(200)
  expect((await ask('PUT', { code: '000000' })).status).toBe(422)
  const confirmed = await ask('PUT', { code: codeAt(secret, step()) })
  recovery_codes = confirmed.body.data.recovery_codes
  expect(recovery_codes).toHaveLength(10)
  expect((await ask('GET')).body.data).toEqual({ is_on: true, recovery_codes_left: 10 })
})

test('from then on the password alone opens nothing, and says what is missing', async () => {
  const { status, body } = await signIn()
  expect([status, body.error.message, body.error.reason]).toEqual([
    401,
    'Enter the code from your authenticator app.',
    'two_factor_required',
  ])
  expect((await signIn('123 456')).body.error.message).toBe('Invalid code')
})

test('a code works once', async () => {
  const code = codeAt(secret, step() + 1)
  expect((await signIn(code)).status).toBe(200)
  expect((await signIn(code)).body.error.message).toBe('Invalid code')
})

test('a recovery code stands in for the telephone, once', async () => {
  expect((await signIn(recovery_codes[3]!.toUpperCase())).status).toBe(200)
  expect((await signIn(recovery_codes[3])).status).toBe(401)
  expect((await ask('GET')).body.data).toEqual({ is_on: true, recovery_codes_left: 9 })
})

test('the secret does not stand in the database as it is', async () => {
  const { rows } = await server.context.db
    .selectFrom('two_factors')
    .select('secret')
    .execute()
    .then((rows) => ({ rows }))
  expect(rows[0]!.secret.toString('latin1')).not.toContain(secret)
})

test('it is turned off with the password', async () => {
  expect((await ask('DELETE', { password: 'guessed' })).status).toBe(422)
  expect((await ask('DELETE', { password: PASSWORD })).status).toBe(200)
  expect((await signIn()).status).toBe(200)
})
