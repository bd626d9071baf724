import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

let database: FreshDatabase
let server: TestServer
beforeAll(async () => {
  database = await freshDatabase()
  server = await startTestServer({ REGISTRATION: '' }, undefined, database)
})
afterAll(async () => {
  await server.close()
  await database.drop()
})

async function register(name: string): Promise<number> {
  const password = 'correct horse battery'
  const user = { company_name: name, email: `${name}@new.test`, password, password_confirmation: password }
  return (await server.request('POST', '/api/registration', { body: { user } })).status
}

test('unless the operator opens registration, only the first company registers, also when several do so at once', async () => {
  const statuses = await Promise.all(['one', 'two', 'three'].map(register))
  expect(statuses.sort()).toEqual([200, 403, 403])
  expect(await register('four')).toBe(403)
})
