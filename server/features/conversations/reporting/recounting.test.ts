import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { accounts } from '#contract/accounts/accounts.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { nearly, withoutLists } from '#tests/support/reports.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { recountAccount } from './counting.ts'
import { checkTotals, makeMissingTotals } from './recounting.ts'
import { readReport } from './reporting.ts'

const YEARS = { from_date: '2026-01-01', to_date: '2027-12-31', lists: false }

/** The report computed row by row, and from sums, which the test forces for any amount of data. */
async function readBoth({ context }: TestServer, account_id: string, query: object = {}) {
  const read = (few: number) =>
    readReport(context.db, account_id, { ...YEARS, ...query }, { conversations: few, messages: few })
  return { rows: withoutLists(await read(Number.POSITIVE_INFINITY)), sums: await read(-1) }
}

/** The common result of both, once the consumer has processed the latest events. */
function readAlike(server: TestServer, account_id: string, query: object = {}) {
  return vi.waitFor(
    async () => {
      const { rows, sums } = await readBoth(server, account_id, query)
      expect(sums).toEqual(nearly(rows))
      return sums
    },
    { timeout: 20_000 },
  )
}

test('an account without sums is read row by row until it has been counted', async ({ server, world }) => {
  const { db } = server.context
  await beginConversation(server, world)
  for (const table of [
    'conversation_figures',
    'author_totals',
    'hour_totals',
    'conversation_totals',
    'duration_totals',
  ]) {
    await sql`delete from ${sql.table(table)} where account_id = ${world.acme.id}`.execute(db)
  }
  await sql`update reporting_time_zones set has_totals = false where account_id = ${world.acme.id}`.execute(db)
  const areAlike = async () => {
    const { rows, sums } = await readBoth(server, world.acme.id)
    return isDeepStrictEqual(rows, sums)
  }
  await expect.poll(areAlike, { timeout: 10_000 }).toBe(true)
  expect(await hasTotals(server, world.acme.id)).toBe(false)
  await makeMissingTotals(server.context)
  await expect.poll(() => hasTotals(server, world.acme.id), { timeout: 20_000 }).toBe(true)
  const { conversations_by_date } = await readAlike(server, world.acme.id)
  expect(conversations_by_date).not.toEqual([])
})

test('wrong sums are found at night and recalculated', async ({ server, world }) => {
  const { db } = server.context
  await recountAccount(db, world.acme.id)
  await checkTotals(server.context)
  expect(await hasTotals(server, world.acme.id), 'they are right').toBe(true)
  await sql`update author_totals set messages = messages + 1 where account_id = ${world.acme.id}`.execute(db)
  const wrong = await readBoth(server, world.acme.id)
  expect(wrong.sums.messages_by_date).not.toEqual(wrong.rows.messages_by_date)
  await checkTotals(server.context)
  expect(await hasTotals(server, world.acme.id)).toBe(false)
  await makeMissingTotals(server.context)
  await expect.poll(() => hasTotals(server, world.acme.id), { timeout: 20_000 }).toBe(true)
  await readAlike(server, world.acme.id)
})

test('changed working hours apply at once, and sums follow a moment later', async ({ server, world, as }) => {
  const id = await beginConversation(server, world)
  // From one midnight to the next, and alone in its inbox.
  await sql`
    update conversations set created_at = date_trunc('day', created_at) - interval '1 day', first_replied_at = date_trunc('day', created_at),
      inbox_id = ${world.billing.id}
    where id = ${id}`.execute(server.context.db)
  await recountAccount(server.context.db, world.acme.id)
  const change = (end_minute: number) =>
    as.ada(accounts.update, {
      body: { account: { working_hours: [{ day: 'everyday', start_minute: 0, end_minute }] } },
    })
  const filters = { inbox_id: world.billing.id, working_hours: true }
  await change(59)
  const { sums } = await readBoth(server, world.acme.id, filters)
  expect(sums.average_time_to_first_reply).toBe(3_600)
  await expect.poll(() => countedUntil(server, world.acme.id), { timeout: 20_000 }).toBe(59)
  await expect.poll(() => hasTotals(server, world.acme.id), { timeout: 20_000 }).toBe(true)
  expect((await readAlike(server, world.acme.id, filters)).average_time_to_first_reply).toBe(3_600)
})

/** A conversation with a reply. */
async function beginConversation(server: TestServer, world: World) {
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, visitor, 'Hello')
  const body = { message: { conversation_id, body: 'Good day' } }
  await server.request('POST', '/api/messages', { token: world.ben.token, body })
  return conversation_id
}

async function hasTotals(server: TestServer, account_id: string) {
  return (await readClock(server, account_id))?.has_totals
}

async function countedUntil(server: TestServer, account_id: string) {
  return (await readClock(server, account_id))?.working_hours[0]?.end_minute
}

async function readClock({ context }: TestServer, account_id: string) {
  const { rows } = await sql<{ has_totals: boolean; working_hours: { end_minute: number }[] }>`
    select has_totals, working_hours from reporting_time_zones where account_id = ${account_id}`.execute(context.db)
  return rows[0]
}
