import type { AccountClaims, Configuration } from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type RealProvider, signInAtProvider, startOidcProvider } from '#tests/support/oidc-provider.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, type World } from '#tests/support/world.ts'

const BASE_URL = 'http://chat.acme.test'
const REDIRECT_URI = `${BASE_URL}/api/oidc/callback`

let database: FreshDatabase
let world: World
const opened: { close(): Promise<void> }[] = []
beforeAll(async () => {
  database = await freshDatabase()
  const server = await startTestServer({}, undefined, database)
  world = await createWorld(server)
  const email_verified_at = new Date().toISOString()
  await server.context.db.updateTable('users').set({ email_verified_at }).where('id', '=', world.ada.id).execute()
  await server.close()
})
afterAll(async () => {
  for (const resource of opened.toReversed()) await resource.close()
  await database.drop()
})

/** What the provider knows of everybody: their login is the address. */
function claimsOf(login: string): AccountClaims {
  return { sub: login, email: login, email_verified: !login.startsWith('unverified'), name: 'Ada Lovelace' }
}

/** The provider with its defaults, and a server of ours that uses it. */
async function connect(more: Configuration = {}, secret = 'a shared secret') {
  const provider: RealProvider = await startOidcProvider({
    clients: [{ client_id: 'parley', client_secret: 'a shared secret', redirect_uris: [REDIRECT_URI] }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, login) => ({ accountId: login, claims: () => claimsOf(login) }),
    ...more,
  })
  opened.push(provider)
  const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'parley', OIDC_CLIENT_SECRET: secret, BASE_URL }
  const server = await startTestServer(settings, undefined, database)
  opened.push(server)
  return server
}

/** The fragment of the sign-in page to which the browser returns in the end. */
async function signIn(server: TestServer, login: string): Promise<{ fragment: URLSearchParams; cookie: string }> {
  const start = await server.request('GET', '/api/oidc/start')
  const carried = String(start.headers['set-cookie']).split(';')[0]!
  const back = new URL(await signInAtProvider(String(start.headers.location), login, REDIRECT_URI))
  const callback = await server.request('GET', back.pathname + back.search, { headers: { cookie: carried } })
  const fragment = new URLSearchParams(new URL(String(callback.headers.location)).hash.slice(1))
  return { fragment, cookie: String(callback.headers['set-cookie']).split(';')[0]! }
}

async function emailOf(server: TestServer, { fragment, cookie }: Awaited<ReturnType<typeof signIn>>) {
  const body = { token: fragment.get('oidc') }
  const answer = await server.request('POST', '/api/oidc/session', { body, headers: { cookie } })
  return answer.body.data.email
}

test('a person signs in with a service that names itself in its answer and gives the address only on request', async () => {
  const server = await connect()
  const returned = await signIn(server, world.ada.email)
  expect(returned.fragment.get('failure')).toBeNull()
  expect(await emailOf(server, returned)).toBe(world.ada.email)
})

test('a person signs in with a service that puts the address into the ID token', async () => {
  const server = await connect({ conformIdTokenClaims: false })
  expect(await emailOf(server, await signIn(server, world.ada.email))).toBe(world.ada.email)
})

test('an address that the service has not verified signs nobody in', async () => {
  const { fragment } = await signIn(await connect(), 'unverified@acme.test')
  expect(fragment.get('failure')).toBe('unconfirmed_email')
})

test('with a wrong client secret the sign-in page says that the operator has to act', async () => {
  const { fragment } = await signIn(await connect({}, 'another secret'), world.ada.email)
  expect(fragment.get('failure')).toBe('misconfigured')
})
