import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { type SignInService, startSignInService } from '#tests/support/sign-in-service.ts'
import { createWorld, PASSWORD, type World } from '#tests/support/world.ts'

let service: SignInService
let database: FreshDatabase
let server: TestServer
let world: World
beforeAll(async () => {
  database = await freshDatabase()
  service = await startSignInService({ id: 'parley', secret: 'a shared secret' })
  const before = await startTestServer({}, undefined, database)
  world = await createWorld(before)
  await before.close()
  server = await startWith(`acme.test=${world.acme.id}`)
  const { db } = server.context
  const email_verified_at = new Date().toISOString()
  await db.updateTable('users').set({ email_verified_at }).where('id', '=', world.ada.id).execute()
})
afterAll(async () => {
  await server.close()
  await database.drop()
  await service.close()
})

function startWith(OIDC_DOMAINS: string, shared = database, more: Record<string, string> = {}): Promise<TestServer> {
  const settings = {
    OIDC_ISSUER: service.issuer,
    OIDC_CLIENT_ID: 'parley',
    OIDC_CLIENT_SECRET: 'a shared secret',
    OIDC_DOMAINS,
    BASE_URL: 'http://chat.acme.test',
    ...more,
  }
  return startTestServer(settings, undefined, shared)
}

interface Travel {
  query?: string
  /** Changes the cookie on the way. */
  cookie?: (cookie: string) => string
}

/** Goes to the service and back as a browser does. Returns the final address: the sign-in page with its fragment. */
async function travel({ query = '', cookie: change = (cookie) => cookie }: Travel = {}, at = server) {
  const start = await at.request('GET', `/api/oidc/start${query}`)
  expect(start.status).toBe(303)
  const cookie = change(String(start.headers['set-cookie']).split(';')[0]!)
  const response = await fetch(String(start.headers.location), { redirect: 'manual' })
  const back = new URL(response.headers.get('location')!)
  const callback = await at.request('GET', back.pathname + back.search, { headers: { cookie } })
  const page = new URL(String(callback.headers.location))
  const fragment = new URLSearchParams(page.hash.slice(1))
  return {
    page,
    fragment,
    token: fragment.get('oidc'),
    cookie: String(callback.headers['set-cookie']).split(';')[0]!,
  }
}

const finish = ({ token, cookie }: { token: string | null; cookie: string }) =>
  server.request('POST', '/api/oidc/session', { body: { token }, headers: { cookie } })
const person = (name: string, more: object = {}) => ({
  sub: `id of ${name}`,
  email: `${name}@acme.test`,
  email_verified: true,
  ...more,
})

test('a user who registered somebody else’s address loses it when the owner signs in', async () => {
  const password = 'planted by a stranger'
  const user = { company_name: 'Trap', email: 'vera@acme.test', password, password_confirmation: password }
  const stranger = (await server.request('POST', '/api/registration', { body: { user } })).body.data
  service.person = person('vera')
  const vera = (await finish(await travel())).body.data
  expect(vera.user_id).toBe(stranger.user_id)
  const meStatus = async (token: string) => (await server.request('GET', '/api/me', { token })).status
  expect([await meStatus(stranger.token), await meStatus(vera.token)]).toEqual([401, 200])
  const signIn = { body: { user: { email: user.email, password } } }
  expect((await server.request('POST', '/api/session', signIn)).status).toBe(401)
  await finish(await travel())
  expect(await meStatus(vera.token), 'only the first time').toBe(200)
})

test('a user with a password is recognised by the address that the service has verified', async () => {
  service.person = person('ada')
  const arrived = await travel({ query: '?redirect=/settings/team' })
  expect(arrived.page.pathname + arrived.page.search).toBe('/login?redirect=%2Fsettings%2Fteam')
  const { status, body } = await finish(arrived)
  expect([status, body.data.user_id]).toEqual([200, world.ada.id])
  expect((await server.request('GET', '/api/me', { token: body.data.token })).body.data.role).toBe('admin')
  expect((await server.request('GET', '/api/me', { token: world.ada.token })).status, 'also where she was').toBe(200)
})

test('the returned token works once', async () => {
  const arrived = await travel()
  expect((await finish(arrived)).status).toBe(200)
  expect((await finish(arrived)).status).toBe(401)
})

test('a link with the token of somebody else signs nobody in as them', async () => {
  const theirs = await travel()
  const own = await travel()
  expect((await finish({ token: theirs.token, cookie: own.cookie })).status).toBe(401)
  expect((await finish({ token: theirs.token, cookie: '' })).status).toBe(401)
  expect((await finish(own)).status).toBe(200)
})

test('a person of an allowed domain joins as a member, and remains the same user if the address changes', async () => {
  service.person = person('dana', { name: 'Dana D.' })
  const first = await finish(await travel())
  const me = await server.request('GET', '/api/profile', { token: first.body.data.token })
  expect(me.body.data).toMatchObject({ account_id: world.acme.id, role: 'user', full_name: 'Dana D.' })
  service.person = { sub: 'id of dana', email: 'dana@married.test', email_verified: false }
  const again = await finish(await travel())
  expect(again.body.data.user_id).toBe(first.body.data.user_id)
})

test('a domain without a named account is accepted only while there is a single account', async () => {
  const alone = await freshDatabase()
  const bare = await startWith('acme.test', alone)
  const user = { company_name: 'First', email: 'first@first.test', password: PASSWORD, password_confirmation: PASSWORD }
  const register = (email: string) => bare.request('POST', '/api/registration', { body: { user: { ...user, email } } })
  await register('first@first.test')
  service.person = person('hugo')
  expect((await travel({}, bare)).token).toBeTruthy()
  await register('second@second.test')
  service.person = person('iris')
  expect((await travel({}, bare)).fragment.get('failure')).toBe('invitation_needed')
  await bare.close()
  await alone.drop()
})

test('without a free seat nobody joins by their domain', async () => {
  const plan = (subscription_plan: 'starter' | 'team') =>
    server.context.db.updateTable('accounts').set({ subscription_plan }).where('id', '=', world.acme.id).execute()
  const selling = await startWith(`acme.test=${world.acme.id}`, database, { BILLING: 'on' })
  service.person = person('gwen')
  await plan('starter')
  const { fragment } = await travel({}, selling)
  await plan('team')
  expect(fragment.get('failure')).toBe('no_seat')
  await selling.close()
})

test('an unknown person needs an invitation, and joins the account of the invitation', async () => {
  service.person = { sub: 'id of eve', email: 'eve@elsewhere.test', email_verified: true }
  const { page, fragment: refusal } = await travel({ query: '?redirect=/settings/team' })
  expect(refusal.get('failure')).toBe('invitation_needed')
  expect(page.pathname + page.search).toBe('/login?redirect=%2Fsettings%2Fteam')
  const invitation = await server.request('POST', '/api/user_invitations', { token: world.olga.token })
  const arrived = await travel({ query: `?invite_token=${invitation.body.data.id}` })
  expect((await finish(arrived)).body.data.account_id).toBe(world.other.id)
})

test.each([
  ['an address that nobody has checked', { sub: 'x', email: 'ada@acme.test' }, 'unconfirmed_email'],
  ['no address', { sub: 'x' }, 'unconfirmed_email'],
  ['an answer to another question', { ...person('frank'), nonce: 'another' }, 'untrusted'],
])('%s is refused', async (_name, claims, reason) => {
  service.person = claims
  expect((await travel()).fragment.get('failure')).toBe(reason)
})

test('a token that the service did not sign is refused', async () => {
  service.person = person('ada')
  service.isImpostor = true
  expect((await travel()).fragment.get('failure')).toBe('untrusted')
  service.isImpostor = false
})

test('a service that has just changed its keys is trusted within seconds', async () => {
  service.person = person('grace')
  expect((await travel()).token).toBeTruthy()
  await service.changeKeys()
  // The keys were read a moment ago, and are not read again with each sign-in.
  await expect.poll(async () => (await travel()).fragment.get('oidc')).toBeTruthy()
})

test('if the service cannot be reached, the browser returns to the sign-in page with the reason', async () => {
  const unreachable = await startWith('', database, { OIDC_ISSUER: 'http://127.0.0.1:1' })
  try {
    const start = await unreachable.request('GET', '/api/oidc/start?redirect=%2Fcustomers')
    expect(start.status).toBe(303)
    const page = new URL(String(start.headers.location))
    expect(page.searchParams.get('redirect')).toBe('/customers')
    expect(page.hash).toBe('#failure=unreachable')
  } finally {
    await unreachable.close()
  }
})

test('a browser that did not start the sign-in, or has another state, is refused', async () => {
  const late = 'too_late'
  expect((await travel({ cookie: () => '' })).fragment.get('failure')).toBe(late)
  expect((await travel({ cookie: (cookie) => `${cookie.slice(0, -4)}AAAA` })).fragment.get('failure')).toBe(late)
})

test('a disabled user is refused', async () => {
  service.person = person('ben')
  await server.request('POST', `/api/users/${world.ben.id}/disable`, { token: world.ada.token })
  expect((await travel()).fragment.get('failure')).toBe('disabled')
})

test('without a configured service its routes do not exist', async () => {
  const plain = await startTestServer()
  const { status, body } = await plain.request('GET', '/api/oidc/start')
  expect([status, body.error.message]).toEqual([404, 'No sign-in service is set up on this server.'])
  await plain.close()
})
