import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (method: string, path: string, body?: object) =>
  server.request(method, path, { token: world.ada.token, body })
const trail = async (query: object) =>
  (await ask('GET', `/api/audit_entries?${new URLSearchParams({ ...query })}`)).body

/** A hundred deeds, two in each second from midnight on. */
const noteMany = (action: string) =>
  sql`
    insert into audit_entries (account_id, id, action, user_id, details, created_at)
    select ${world.acme.id}, gen_random_uuid(), ${action}, ${world.ada.id}, '{}',
      '2026-01-01T00:00:00Z'::timestamptz + (n / 2) * interval '1 second'
    from generate_series(0, 99) n`.execute(server.context.db)

test('the trail is read page by page, and the last page says that it is the last', async () => {
  await noteMany('walk.paged')
  const first = await trail({ action: 'walk' })
  const second = await trail({ action: 'walk', after: first.next })
  expect([first.data.length, second.data.length, second.next]).toEqual([50, 50, null])
  const all: { id: string; created_at: string }[] = [...first.data, ...second.data]
  expect(new Set(all.map(({ id }) => id)).size).toBe(100)
  const times = all.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted().reverse())
})

test('between two times come the deeds from the first on, and before the second', async () => {
  await noteMany('walk.timed')
  const [from, to] = ['2026-01-01T00:00:10Z', '2026-01-01T00:00:12Z']
  const { data } = await trail({ action: 'walk.timed', from, to })
  const times = data.map(({ created_at }: { created_at: string }) => Date.parse(created_at))
  const seconds = [11, 11, 10, 10].map((second) => Date.parse(`2026-01-01T00:00:${second}Z`))
  expect(times).toEqual(seconds)
})

test('a table for spreadsheets says who did it, and what became what, lists too', async () => {
  const working_hours = [{ day: 'weekdays', start_minute: 540, end_minute: 1020 }]
  await ask('PUT', '/api/accounts/me', { account: { company_name: 'Acme & Sons', working_hours } })
  const table: string = (await ask('GET', '/api/audit_entries/export.csv?action=account')).body
  const line = table.split('\r\n')[1]!
  expect(line).toContain(`company_name: Acme → Acme & Sons; working_hours: [] → [{""day"":`)
  expect(line).toContain(world.ada.email)
})
