import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UUIDS } from './support/chatwoot/company.ts'
import { createChatwoot, insertInto, withClient } from './support/chatwoot/database.ts'
import { fillCompany, runChatwoot } from './support/chatwoot/run.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { type Json, startTestServer, type TestServer } from './support/server.ts'

/** As Rails makes them: longer than a block of the hash. */
const SECRET_KEY_BASE = 'a7'.repeat(64)
const WEBSITE = 2
const DAY_S = 86_400

let source: FreshDatabase
let target: FreshDatabase
let folder: string
let server: TestServer
let account_id: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-chatwoot-browsers-'))
  source = await createChatwoot()
  target = await freshDatabase()
  await withClient(source, async (client) => {
    await fillCompany(client)
    // A second browser in which somebody has typed the same address.
    await insertInto(client)('contact_inboxes', { id: 8, contact_id: 7, inbox_id: WEBSITE, source_id: 's8' })
  })
  await importAgain()
  server = await startTestServer({ DATA_DIR: join(folder, 'data') }, undefined, target)
  account_id = (await select(`select id from accounts where company_name = 'Acme'`))[0].id
  // Everybody may write here, also without a signature.
  await select('update inboxes set requires_signed_identity = false')
}, 180_000)
afterAll(async () => {
  await server.close()
  await source.drop()
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

async function importAgain() {
  const options = ['--inboxes', 'shared', '--account', '1']
  const { code, output } = await runChatwoot(target, source, folder, options, { SECRET_KEY_BASE })
  expect(code, output).toBe(0)
  return output
}

const select = (sql: string) => withClient(target, async (client) => (await client.query(sql)).rows)

/** The token that Chatwoot's chat keeps in the cookie `cw_conversation`. */
function cookie(source_id: string, { inbox_id = WEBSITE, secret = SECRET_KEY_BASE, exp = 0 } = {}) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256' })}.${part({ source_id, inbox_id, ...(exp && { exp }) })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** Opens a session as the chat does. */
async function arrive(identity_token: string | undefined, customer: object = {}) {
  const visitor_session = {
    ...{ account_id, identity_token, customer },
    ...{ token: randomBytes(32).toString('base64url'), customer_id: randomUUID() },
  }
  const { status, body } = await server.request('POST', '/api/visitor_sessions', { body: { visitor_session } })
  return { status, fields: body.error?.errors, asked: visitor_session, ...(body.data as Json) }
}

async function conversationsOf({ token, customer_id }: Json) {
  const path = `/api/conversations/customer?customer_id=${customer_id}&account_id=${account_id}`
  return (await server.request('GET', path, { token })).body.data.map(({ id }: Json) => id)
}

/** Whether the browser is somebody new. */
const isNew = (visitor: Json) => visitor.customer_id === visitor.asked.customer_id

test('a browser that presents the token of its old chat stays the same customer with its conversations', async () => {
  const carla = await arrive(cookie('s1'), { external_id: 'user 1' })
  expect(carla.status).toBe(201)
  expect(await conversationsOf(carla)).toEqual(expect.arrayContaining([UUIDS[1]]))
  const again = await server.request('POST', '/api/visitor_sessions', { body: { visitor_session: carla.asked } })
  expect(again.body.data.customer_id).toBe(carla.customer_id)

  // The page shows the token on each visit; in a session that has begun it changes nothing.
  const proof = { visitor_session: { identity_token: cookie('s1') } }
  const proven = await server.request('PUT', '/api/visitor_sessions/identity', { token: carla.token, body: proof })
  expect([proven.status, proven.body.data.customer_id]).toEqual([200, carla.customer_id])
})

test('the old token opens nothing once its browser has taken over: who signs out has left', async () => {
  const later = await arrive(cookie('s1'))
  expect([later.status, isNew(later)]).toEqual([201, true])
  await importAgain()
  expect(isNew(await arrive(cookie('s1')))).toBe(true)
})

test('a token that the old server did not sign, or that has expired, opens nothing', async () => {
  for (const [token, why] of [
    [cookie('s3', { secret: 'b8'.repeat(64) }), 'is invalid'],
    [cookie('s3', { exp: Math.floor(Date.now() / 1_000) - DAY_S }), 'is invalid'],
    ['no.token.at-all', 'is invalid'],
  ] as const) {
    const refused = await arrive(token)
    expect([refused.status, JSON.stringify(refused.fields)]).toEqual([422, expect.stringContaining(why)])
  }
  for (const token of [cookie('s3', { inbox_id: 1 }), cookie('unknown')]) expect(isNew(await arrive(token))).toBe(true)
})

test('browsers of a contact that was seen in several begin anew, because they may be different people', async () => {
  for (const name of ['s7', 's8']) expect(isNew(await arrive(cookie(name)))).toBe(true)
})

test('on a shared computer another person inherits nothing', async () => {
  await withClient(source, (client) =>
    insertInto(client)('contact_inboxes', { id: 9, contact_id: 2, inbox_id: WEBSITE, source_id: 's9' }),
  )
  const output = await importAgain()
  expect(output).toMatch(/\d browsers of visitors can go on where they were/)
  await select(`update customers set external_id = 'user 2' where name = 'Twin'`)
  expect(isNew(await arrive(cookie('s9'), { external_id: 'user 3' }))).toBe(true)
})

test('the old server’s secret is stored as what verifies tokens, encrypted, and is in no report', async () => {
  const rows = await select(`select secret from import_secrets where product = 'chatwoot browsers'`)
  expect(rows).toHaveLength(1)
  expect(rows[0].secret.toString('latin1')).not.toContain('a7a7')
  const names = await readdir(join(folder, 'data', 'imports'))
  for (const name of names) {
    expect(await readFile(join(folder, 'data', 'imports', name), 'utf8')).not.toContain(SECRET_KEY_BASE)
  }
})
