import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { migrate, readMigrations } from '#server/platform/db/migrate.ts'
import { startDnsServer } from '#tests/emulators/dns-server.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { startTestServer } from '#tests/support/server.ts'

/** An installation without any company, whose name server knows no record. */
async function startEmpty(template?: string) {
  const database = await freshDatabase(template)
  const dns = await startDnsServer()
  onTestFinished(async () => {
    await dns.close()
    await database.drop()
  })
  return { database, dns }
}

test('with one company a domain needs no record; once there are two, it stays, and the next one needs a record', async () => {
  const { database, dns } = await startEmpty()
  const server = await startTestServer({ DNS_SERVERS: dns.address }, undefined, database)
  onTestFinished(() => server.close())
  const register = async (name: string): Promise<string> => {
    const password = 'correct horse battery'
    const user = { company_name: name, email: `${name}@new.test`, password, password_confirmation: password }
    return (await server.request('POST', '/api/registration', { body: { user } })).body.data.token
  }
  const change = async (token: string, help_center: object) =>
    (await server.request('PUT', '/api/help_center', { token, body: { help_center } })).body
  const answersOn = async (domain: string) =>
    (await server.request('GET', `/help-domains?domain=${domain}`)).status === 200

  const first = await register('first')
  const { data } = await change(first, { is_published: true, domain: 'help.first.test' })
  expect(data).toMatchObject({ url: 'https://help.first.test', domain_verified_at: expect.any(String) })
  expect(await answersOn('help.first.test')).toBe(true)

  const second = await register('second')
  const { data: renamed } = await change(first, { name: 'Renamed' })
  expect(renamed.domain_verified_at).toBe(data.domain_verified_at)
  expect(await answersOn('help.first.test')).toBe(true)
  const taken = await change(second, { is_published: true, domain: 'help.first.test' })
  expect(taken.error.errors).toEqual({ domain: ['has already been taken'] })
  expect((await change(second, { domain: 'help.second.test' })).data.domain_verified_at).toBeNull()
  expect((await change(first, { domain: 'support.first.test' })).data.domain_verified_at).toBeNull()
  expect([await answersOn('help.second.test'), await answersOn('support.first.test')]).toEqual([false, false])
})

test('domains that were entered before records were asked for keep answering after an upgrade', async () => {
  const { database, dns } = await startEmpty('template0')
  const folder = await mkdtemp(join(tmpdir(), 'parley-domains-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const before = (await readMigrations()).filter(({ name }) => name < '20261208T0300')
  await Promise.all(before.map(({ name, sql }) => writeFile(join(folder, name), sql)))
  const log = pino({ level: 'silent' })
  await migrate(database.connection, log, folder)
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query(`
    with companies as (
      insert into accounts (id, company_name) values (gen_random_uuid(), 'one'), (gen_random_uuid(), 'two')
      returning id, company_name)
    insert into help_centers (account_id, name, slug, is_published, default_language, languages, domain)
    select id, company_name, company_name, true, 'en', array['en'],
      case when company_name = 'one' then 'help.one.test' end from companies`)
  await client.end()
  const server = await startTestServer({ DNS_SERVERS: dns.address }, undefined, database)
  onTestFinished(() => server.close())
  const statusOf = async (domain: string) => (await server.request('GET', `/help-domains?domain=${domain}`)).status
  expect([await statusOf('help.one.test'), await statusOf('help.two.test')]).toEqual([200, 404])
  const start = await server.request('GET', '/', { headers: { host: 'help.one.test' } })
  expect([start.status, start.headers.location]).toEqual([302, '/en'])
})
