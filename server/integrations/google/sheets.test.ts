import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { oauth } from '#contract/connections/oauth.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { google as calls } from '#contract/integrations/google.ts'
import { startGoogle } from '#tests/emulators/google.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const google = await startGoogle()
const test = base.extend('env', { scope: 'file' }, google.settings)
afterAll(() => google.close())

const ROOM = { timeout: 30_000 }

async function connect(as: Callers) {
  const { data: begun } = await as.ada(oauth.start, { body: { integration: 'google_sheets' } })
  expect(new URL(begun.url).searchParams.get('scope')).toBe('https://www.googleapis.com/auth/spreadsheets')
  const body = { state: begun.state, code: google.consent('sheets', begun.url) }
  return (await as.ada(oauth.finish, { body })).data.id!
}

test.afterEach(async ({ as }) => {
  for (const { id } of (await as.ada(integrations.list)).data) await as.ada(integrations.remove, { params: { id } })
})

test('each new customer with an email address gets one row, if enabled', async ({ as, server, world }) => {
  const id = await connect(as)
  const visit = (name: string, email?: string) =>
    startVisitor(server, world.acme.id, { name, ...(email && { email }) }).then(async (visitor) => {
      await startConversation(server, visitor, 'Hello')
      return visitor.customer_id
    })
  await visit('Too early', 'early@shop.test')
  const settings = { adds_customers: true }
  await expect(as.ben(calls.saveSettings, { params: { id }, body: { settings } })).rejects.toThrow(
    'Unauthorized access',
  )
  await expect(as.olga(calls.saveSettings, { params: { id }, body: { settings } })).rejects.toMatchObject({
    status: 404,
  })
  const { data } = await as.ada(calls.saveSettings, { params: { id }, body: { settings } })
  const [sheet] = [...google.sheets.keys()]
  expect(data.sheets).toEqual({
    adds_customers: true,
    spreadsheet_url: `https://docs.google.com/spreadsheets/d/${sheet}`,
  })
  const rows = () => google.sheets.get(sheet!)!.map(([, email, name]) => [email, name])

  google.fail('POST /v4', { status: 503 })
  const formula = await visit('=IMPORTXML("x")', 'nora@shop.test')
  await expect.poll(rows, ROOM).toEqual([['nora@shop.test', '=IMPORTXML("x")']])
  const [append] = google.requestsTo('POST /v4/spreadsheets/').slice(-1)
  expect(append!.query.get('valueInputOption')).toBe('RAW')

  const nameless = await visit('Nobody yet')
  google.lose('POST /v4')
  await visit('Lost answer', 'lost@shop.test')
  await expect.poll(rows, ROOM).toHaveLength(2)
  await as.ben(customerProfiles.update, { params: { id: nameless }, body: { customer: { email: 'late@shop.test' } } })
  await as.ben(customerProfiles.update, { params: { id: formula }, body: { customer: { name: 'Nora' } } })
  await expect.poll(rows, ROOM).toEqual([
    ['nora@shop.test', '=IMPORTXML("x")'],
    ['lost@shop.test', 'Lost answer'],
    ['late@shop.test', 'Nobody yet'],
  ])

  // Switched off and on again, it uses the same sheet.
  const choose = (adds_customers: boolean) =>
    as.ada(calls.saveSettings, { params: { id }, body: { settings: { adds_customers } } })
  await choose(false)
  await visit('Not told', 'not-told@shop.test')
  await choose(true)
  expect(google.sheets.size).toBe(1)
  await visit('Told', 'told@shop.test')
  await expect.poll(rows, ROOM).toHaveLength(4)
  expect((await as.ada(integrations.list)).data).toMatchObject([{ last_out_at: expect.any(String), problem: null }])
})

test('waiting rows are sent in one request, and are not duplicated after a lost response or server error', async ({
  as,
  server,
  world,
}) => {
  const id = await connect(as)
  await as.ada(calls.saveSettings, { params: { id }, body: { settings: { adds_customers: true } } })
  const [sheet] = [...google.sheets.keys()].slice(-1)
  const visit = async (name: string) => {
    const visitor = await startVisitor(server, world.acme.id, { name, email: `${name.toLowerCase()}@desk.test` })
    await startConversation(server, visitor, 'Hello')
  }
  const appends = () =>
    google.requestsTo(`POST /v4/spreadsheets/${sheet}/values`).map(({ body }) => body.values as string[][])
  const failed = async (count: number) => {
    await expect.poll(() => appends().length, ROOM).toBe(count)
    await retryAt(server, new Date(Date.now() + 3_600_000))
  }
  await expect.poll(() => waitingRows(server), ROOM).toBe(0)
  google.fail('POST /v4', { status: 429, headers: { 'retry-after': '1' } })
  await visit('Anna')
  await failed(1)
  for (const name of ['Bela', 'Cora', 'Dora']) await visit(name)
  await expect.poll(() => waitingRows(server), ROOM).toBe(4)
  // First none of them arrives; then all do, but the answer is lost.
  google.fail('POST /v4', { status: 500 })
  await retryAt(server, new Date())
  await failed(2)
  google.lose('POST /v4')
  await retryAt(server, new Date())
  await failed(3)
  await visit('Eve')
  await expect.poll(() => waitingRows(server), ROOM).toBe(5)
  await retryAt(server, new Date())
  await expect.poll(() => waitingRows(server), ROOM).toBe(0)
  const named = appends().map((rows) => rows.map(([, , name]) => name))
  const waited = ['Anna', 'Bela', 'Cora', 'Dora']
  expect(named).toEqual([['Anna'], waited, waited, ['Eve']])
  expect(google.sheets.get(sheet!)!.map(([, , name]) => name)).toEqual([...waited, 'Eve'])
})

/** Number of unfinished jobs. */
async function waitingRows({ context }: TestServer): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs.job where name = 'google.addCustomerRow' and state <= 'active'`.execute(
    context.db,
  )
  return rows[0]!.count
}

/** Sets the next try of the failed job, after it has failed. */
async function retryAt({ context }: TestServer, moment: Date): Promise<void> {
  const move = () =>
    sql`
    update jobs.job set start_after = ${moment.toISOString()}::timestamptz
    where name = 'google.addCustomerRow' and state = 'retry'`.execute(context.db)
  await expect.poll(async () => (await move()).numAffectedRows, ROOM).toBe(1n)
}

test('customers added while the grant was revoked get rows after reconnecting', async ({ as, server, world }) => {
  const id = await connect(as)
  await as.ada(calls.saveSettings, { params: { id }, body: { settings: { adds_customers: true } } })
  const [sheet] = [...google.sheets.keys()].slice(-1)
  const names = () => google.sheets.get(sheet!)!.map(([, , name]) => name)
  const visit = async (name: string) => {
    const visitor = await startVisitor(server, world.acme.id, { name, email: `${name.toLowerCase()}@lamp.test` })
    await startConversation(server, visitor, 'Hello')
  }
  await visit('Fred')
  await expect.poll(names, ROOM).toEqual(['Fred'])
  google.revokeAll()
  await visit('Gina')
  await expect
    .poll(async () => (await as.ada(integrations.list)).data, ROOM)
    .toMatchObject([
      {
        state: 'broken',
        problem: expect.stringContaining('Google no longer accepts this connection. Connect it again.'),
      },
    ])
  await visit('Hugo')
  // Meanwhile there are no pointless tries.
  await expect.poll(() => waitingRows(server), ROOM).toBe(0)
  expect(await connect(as)).toBe(id)
  await expect.poll(names, ROOM).toEqual(['Fred', 'Gina', 'Hugo'])
  await visit('Ida')
  await expect.poll(names, ROOM).toEqual(['Fred', 'Gina', 'Hugo', 'Ida'])
  expect((await as.ada(integrations.list)).data).toMatchObject([{ state: 'connected', problem: null }])
})

test('after the spreadsheet was deleted at Google, new customers wait for the one that an admin creates', async ({
  as,
  server,
  world,
}) => {
  const id = await connect(as)
  const choose = () => as.ada(calls.saveSettings, { params: { id }, body: { settings: { adds_customers: true } } })
  await choose()
  const visit = async (name: string) => {
    const visitor = await startVisitor(server, world.acme.id, { name, email: `${name.toLowerCase()}@chair.test` })
    await startConversation(server, visitor, 'Hello')
  }
  const [deleted] = [...google.sheets.keys()].slice(-1)
  google.sheets.delete(deleted!)
  await visit('Jack')
  const isBroken = { state: 'broken', problem: expect.stringContaining('The spreadsheet was deleted at Google.') }
  await expect.poll(async () => (await as.ada(integrations.list)).data, ROOM).toMatchObject([isBroken])
  await visit('Kate')
  await expect(as.ada(integrations.test, { params: { id } })).rejects.toThrow('The spreadsheet was deleted at Google.')
  const { data } = await as.ben(calls.get, { query: { client: 'sheets' } })
  expect(data!.sheets).toEqual({ adds_customers: true, spreadsheet_url: null })
  await choose()
  const [sheet] = [...google.sheets.keys()].slice(-1)
  expect(sheet).not.toBe(deleted)
  await expect.poll(() => google.sheets.get(sheet!)!.map(([, , name]) => name), ROOM).toEqual(['Jack', 'Kate'])
  expect((await as.ada(integrations.list)).data).toMatchObject([{ state: 'connected', problem: null }])
})

test('if the spreadsheet cannot be created, the error is returned and nothing is enabled', async ({ as }) => {
  const id = await connect(as)
  google.fail('POST /v4/spreadsheets', {
    status: 403,
    body: { error: { message: 'The caller does not have permission' } },
  })
  await expect(
    as.ada(calls.saveSettings, { params: { id }, body: { settings: { adds_customers: true } } }),
  ).rejects.toThrow('Google refused it: The caller does not have permission.')
  const { data } = await as.ben(calls.get, { query: { client: 'sheets' } })
  expect(data!.sheets).toMatchObject({ adds_customers: false })
  google.revokeAll()
  await expect(as.ada(integrations.test, { params: { id } })).rejects.toMatchObject({ reason: 'broken' })
})
