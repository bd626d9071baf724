import { audit } from '#contract/accounts/audit.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { team } from '#contract/accounts/team.ts'
import { twoFactor } from '#contract/accounts/two-factor.ts'
import { mails } from '#contract/mail/mails.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { PASSWORD } from '#tests/support/world.ts'
import { codeAt, stepOfCode } from './totp.ts'

let secret: string
let recovery_codes: string[]

const step = () => Math.floor(Date.now() / 30_000)

// Test vectors of RFC 6238, appendix B, with the secret 12345678901234567890; the last six of their digits.
const test = base.extend('signIn', ({ as, world }) => (code?: string) => {
  return as.anybody(authSessions.signIn, { body: { user: { email: world.ada.email, password: PASSWORD, code } } })
})

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('at second %d the code is %s', (second, code) => {
  const knownSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect(codeAt(knownSecret, Math.floor(second / 30))).toBe(code)
  expect(stepOfCode(knownSecret, ` ${code.slice(0, 3)} ${code.slice(3)} `, second * 1000)).toBe(Math.floor(second / 30))
  expect(stepOfCode(knownSecret, code, (second + 61) * 1000)).toBeUndefined()
})

test('the secret is shown only with the password, and is active once a code was confirmed', async ({ as, signIn }) => {
  await expect(as.ada(twoFactor.begin, { body: { password: 'guessed' } })).rejects.toHaveProperty('errors', {
    current_password: ['is invalid'],
  })
  const { data } = await as.ada(twoFactor.begin, { body: { password: PASSWORD } })
  secret = data.secret
  expect(data.uri).toBe(`otpauth://totp/Parley:ada%40acme.test?secret=${secret}&issuer=Parley`)
  await signIn()
  await expect(as.ada(twoFactor.confirm, { body: { code: '000000' } })).rejects.toMatchObject({ status: 422 })
  const confirmed = await as.ada(twoFactor.confirm, { body: { code: codeAt(secret, step()) } })
  recovery_codes = confirmed.data.recovery_codes
  expect(recovery_codes).toHaveLength(10)
  expect((await as.ada(twoFactor.get)).data).toEqual({ is_on: true, recovery_codes_left: 10 })
})

test('the password alone is then refused, with the reason that a code is missing', async ({ signIn }) => {
  await expect(signIn()).rejects.toMatchObject({
    status: 401,
    message: 'Enter the code from your authenticator app.',
    reason: 'two_factor_required',
  })
  await expect(signIn('123 456')).rejects.toMatchObject({ message: 'Invalid code' })
})

test('a code works once', async ({ signIn }) => {
  const code = codeAt(secret, step() + 1)
  await signIn(code)
  await expect(signIn(code)).rejects.toMatchObject({ message: 'Invalid code' })
})

test('a recovery code replaces the authenticator app, once', async ({ as, signIn }) => {
  await signIn(recovery_codes[3]!.toUpperCase())
  await expect(signIn(recovery_codes[3])).rejects.toMatchObject({ status: 401 })
  expect((await as.ada(twoFactor.get)).data).toEqual({ is_on: true, recovery_codes_left: 9 })
})

test('the secret is encrypted in the database', async ({ server }) => {
  const { rows } = await server.context.db
    .selectFrom('two_factors')
    .select('secret')
    .execute()
    .then((rows) => ({ rows }))
  expect(rows[0]!.secret.toString('latin1')).not.toContain(secret)
})

test('an admin removes the second factor of a teammate who lost it: the trail says so, and they get a mail', async ({
  as,
  world,
}) => {
  const { ben } = world
  const { data } = await as.ben(twoFactor.begin, { body: { password: PASSWORD } })
  const remove = (who = as.ada, id = ben.id) => who(team.removeTwoFactor, { params: { id } })
  await expect(remove()).rejects.toMatchObject({ status: 400, message: 'This user has no second factor.' })
  await as.ben(twoFactor.confirm, { body: { code: codeAt(data.secret, step()) } })
  await expect(remove(as.ada, world.ada.id)).rejects.toMatchObject({ status: 400 })
  await expect(remove(as.ben, world.ada.id)).rejects.toMatchObject({ status: 401 })
  await expect(remove(as.olga)).rejects.toMatchObject({ status: 404 })
  await remove()
  // The session continues; the password alone signs in.
  expect((await as.ben(twoFactor.get)).data.is_on).toBe(false)
  await as.anybody(authSessions.signIn, { body: { user: { email: ben.email, password: PASSWORD } } })
  expect((await as.ada(audit.list)).data).toContainEqual(
    expect.objectContaining({
      action: 'two_factor.removed',
      subject_name: ben.email,
      user: expect.objectContaining({ id: world.ada.id }),
    }),
  )
  expect((await as.ada(mails.list)).data).toContainEqual(
    expect.objectContaining({ kind: 'two_factor_removed', recipient: ben.email }),
  )
})

test('it is turned off with the password', async ({ as, signIn }) => {
  await expect(as.ada(twoFactor.remove, { body: { password: 'guessed' } })).rejects.toMatchObject({ status: 422 })
  await as.ada(twoFactor.remove, { body: { password: PASSWORD } })
  await signIn()
})
