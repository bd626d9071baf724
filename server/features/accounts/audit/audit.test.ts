import { sql } from 'kysely'
import { accounts } from '#contract/accounts/accounts.ts'
import { audit } from '#contract/accounts/audit.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { test as base, expect } from '#tests/support/fixture.ts'

const test = base
  .extend('trail', ({ as }) => (query: QueryInput<typeof audit.list>) => {
    return as.ada(audit.list, { query })
  })
  /** A hundred entries, two per second from midnight on. */
  .extend('recordMany', ({ world, server }) => (action: string) => {
    return sql`
    insert into audit_entries (account_id, id, action, user_id, details, created_at)
    select ${world.acme.id}, gen_random_uuid(), ${action}, ${world.ada.id}, '{}',
      '2026-01-01T00:00:00Z'::timestamptz + (n / 2) * interval '1 second'
    from generate_series(0, 99) n`.execute(server.context.db)
  })

test('the audit trail is read page by page, and the last page is marked', async ({ recordMany, trail }) => {
  await recordMany('walk.paged')
  const first = await trail({ action: 'walk' })
  const second = await trail({ action: 'walk', after: first.next! })
  expect([first.data.length, second.data.length, second.next]).toEqual([50, 50, null])
  const all = [...first.data, ...second.data]
  expect(new Set(all.map(({ id }) => id)).size).toBe(100)
  const times = all.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted().reverse())
})

test('a time range includes its start and excludes its end', async ({ recordMany, trail }) => {
  await recordMany('walk.timed')
  const [from, to] = ['2026-01-01T00:00:10Z', '2026-01-01T00:00:12Z']
  const { data } = await trail({ action: 'walk.timed', from, to })
  const times = data.map(({ created_at }) => Date.parse(created_at))
  const seconds = [11, 11, 10, 10].map((second) => Date.parse(`2026-01-01T00:00:${second}Z`))
  expect(times).toEqual(seconds)
})

test('the CSV export names who did it, and old and new values, lists included', async ({ as, world }) => {
  const working_hours = [{ day: 'weekdays' as const, start_minute: 540, end_minute: 1020 }]
  await as.ada(accounts.update, { body: { account: { company_name: 'Acme & Sons', working_hours } } })
  const table = await as.ada(audit.export, { query: { action: 'account' } })
  const line = String(table).split('\r\n')[1]!
  expect(line).toContain(`company_name: Acme → Acme & Sons; working_hours: [] → [{""day"":`)
  expect(line).toContain(world.ada.email)
})
