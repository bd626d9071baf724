import { type AddressInfo, createConnection, createServer } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type Change, createChange, type Db, type MakeChange } from './change.ts'
import { type Connection, connect } from './connection.ts'
import { readTogether } from './transact.ts'

let database: FreshDatabase
let db: Connection
let change: MakeChange

beforeAll(async () => {
  database = await freshDatabase()
  // One connection, so that every statement meets the state that earlier ones left.
  db = connect(database.connection, pino({ level: 'silent' }), undefined, { maxConnections: 1 })
  change = createChange(db.kysely, { append: () => async () => [], publish: () => undefined })
  await sql`create table lamps (id int primary key, name text)`.execute(db.kysely)
  await sql`insert into lamps values (1, 'Brass')`.execute(db.kysely)
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

/** Makes changes whose last statement, sent with the commit, lights the lamp. */
function shining({ kysely }: Connection): MakeChange {
  return createChange(kysely, {
    append: (tx, announced) => async () => {
      await sql`update lamps set name = ${'Lit'} where id = ${1}`.execute(tx)
      return announced.map((announcement) => ({ ...announcement, log_id: 1 }))
    },
    publish: () => undefined,
  })
}

const find = () => change(async (tx) => (await sql`select * from lamps where id = ${1} for update`.execute(tx.db)).rows)

async function countPrepared() {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(db.kysely)
  return rows[0]!.count
}

test('a frequent statement is prepared, in transactions and outside; a rare one is not', async () => {
  for (let i = 0; i < 60; i++) await find()
  expect(await countPrepared()).toBe(1)
  for (let i = 0; i < 5; i++) await sql`select name as rare from lamps where id = ${1}`.execute(db.kysely)
  expect(await countPrepared()).toBe(1)
  for (let i = 0; i < 60; i++) await sql`select name from lamps where id = ${1}`.execute(db.kysely)
  expect(await countPrepared()).toBe(2)
})

test('however many statements come often, only some are prepared', async () => {
  const many = connect(database.connection, pino({ level: 'silent' }), undefined, { maxConnections: 1 })
  for (let text = 0; text < 300; text++) {
    const statement = sql`select name as ${sql.ref(`name_${text}`)} from lamps where id = ${1}`
    for (let i = 0; i < 20; i++) await statement.execute(many.kysely)
  }
  const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(many.kysely)
  expect(rows[0]!.count).toBe(120)
  await many.end()
})

test('a prepared statement whose columns a migration changed, or that a pooler lost, is sent in full again', async () => {
  for (let i = 0; i < 60; i++) await find()
  await sql`alter table lamps add column price int`.execute(db.kysely)
  expect(await find()).toEqual([{ id: 1, name: 'Brass', price: null }])

  const read = async () => (await sql`select * from lamps where id = ${1}`.execute(db.kysely)).rows
  for (let i = 0; i < 60; i++) await read()
  await sql`alter table lamps add column height int`.execute(db.kysely)
  expect(await read()).toEqual([{ id: 1, name: 'Brass', price: null, height: null }])

  const rename = () =>
    change(async (tx) => void (await sql`update lamps set name = 'Steel' where id = ${1}`.execute(tx.db)))
  for (let i = 0; i < 60; i++) await rename()
  await sql`deallocate all`.execute(db.kysely)
  await rename()
  expect(await find()).toMatchObject([{ name: 'Steel' }])
})

test('a transaction begins with its first statement, and one without any does nothing', async () => {
  await change(async () => undefined)
  const wrong = change(async (tx) => {
    await sql`update lamps set name = 'Copper' where id = ${1}`.execute(tx.db)
    await sql`select ${1}::int / 0`.execute(tx.db)
  })
  await expect(wrong).rejects.toThrow('division by zero')
  await expect(change((tx) => sql`select ${'x'}::int`.execute(tx.db))).rejects.toThrow('invalid input syntax')
  expect(await find()).toMatchObject([{ name: 'Steel' }])
})

test('statements issued together take one round trip, and so do the last one and the commit', async () => {
  const trips = await countTrips((shine) =>
    shine(async (tx) => {
      tx.announce('acme', { type: 'shone', payload: z.object({}) }, {})
      const [one, two] = await Promise.all([
        sql<{ is: number }>`select ${1}::int as is`.execute(tx.db),
        sql<{ is: number }>`select ${2}::int as is`.execute(tx.db),
      ])
      expect([...one.rows, ...two.rows]).toEqual([{ is: 1 }, { is: 2 }])
    }),
  )
  expect(trips).toBe(2)
  expect(await find()).toMatchObject([{ name: 'Lit' }])
})

test('statements that are read together take one round trip', async () => {
  const trips = await countTrips((_, kysely) =>
    readTogether(kysely, (together) =>
      Promise.all([1, 2, 3].map((id) => sql`select name from lamps where id = ${id}`.execute(together))),
    ),
  )
  expect(trips).toBe(1)
})

test('a statement about several values has the same text for any number of them, even none', async () => {
  const select = (ids: number[]) => db.kysely.selectFrom('users').select('email').where('id', 'in', ids)
  expect(select([1]).compile().sql).toBe(select([1, 2, 3]).compile().sql)
  expect(await select([]).execute()).toEqual([])
  expect(await select([-1, -2]).execute()).toEqual([])
  const others = db.kysely.selectFrom('users').select('id').where('id', 'not in', [-1])
  expect(others.compile().sql).toContain('<> all($1)')
  expect(await others.execute()).toEqual([])
})

test('a frequent statement about a few values is not planned each time', async () => {
  const select = (ids: number[]) => db.kysely.selectFrom('users').select('role').where('id', 'in', ids)
  for (let i = 0; i < 60; i++) await select([i]).execute()
  const { rows } = await sql<{ planned: number; used: number }>`
    select custom_plans as planned, generic_plans as used from pg_prepared_statements
    where statement = ${select([1]).compile().sql}`.execute(db.kysely)
  expect(rows[0]!.planned).toBe(5)
  expect(rows[0]!.used).toBeGreaterThan(30)
})

test('if the last statement fails, nothing is committed and the connection remains usable', async () => {
  const fails = createChange(db.kysely, {
    append: (tx) => async () => {
      await sql`select ${1}::int / 0`.execute(tx)
      return []
    },
    publish: () => undefined,
  })
  const wrong = fails(async (tx) => {
    tx.announce('acme', { type: 'shone', payload: z.object({}) }, {})
    await sql`update lamps set name = ${'Dark'} where id = ${1}`.execute(tx.db)
  })
  await expect(wrong).rejects.toThrow('division by zero')
  expect(await find()).toMatchObject([{ name: 'Lit' }])
})

test('a pending statement, the last one and the commit take one round trip', async () => {
  const trips = await countTrips((shine) =>
    shine(async (tx) => {
      tx.announce('acme', { type: 'shone', payload: z.object({}) }, {})
      tx.pending(sql`update lamps set name = ${'Pending'} where id = ${1}`.execute(tx.db))
    }),
  )
  expect(trips).toBe(1)
  expect(await find()).toMatchObject([{ name: 'Lit' }])
})

test.for([
  ['the work ends', () => undefined],
  ['a later statement of the work fails because of it', (tx: Change) => sql`select ${1}::int`.execute(tx.db)],
  ['the work refuses', () => Promise.reject(new Error('Refused'))],
] as const)(
  'if a pending statement fails and %s, its failure is reported and nothing is stored',
  async ([, finish]) => {
    const wrong = change(async (tx) => {
      await sql`update lamps set name = ${'Dark'} where id = ${1}`.execute(tx.db)
      tx.pending(sql`select ${1}::int / 0`.execute(tx.db))
      await finish(tx)
    })
    await expect(wrong).rejects.toThrow('division by zero')
    expect(await find()).toMatchObject([{ name: 'Lit' }])
  },
)

test('if one of several concurrent statements fails, the transaction fails', async () => {
  const wrong = change((tx) =>
    Promise.all([
      sql`update lamps set name = ${'Dark'} where id = ${1}`.execute(tx.db),
      sql`select ${1}::int / 0`.execute(tx.db),
      sql`update lamps set name = ${'Darker'} where id = ${1}`.execute(tx.db),
    ]),
  )
  await expect(wrong).rejects.toThrow('division by zero')
  expect(await find()).toMatchObject([{ name: 'Lit' }])
})

test('a statement that fails stops those sent with it, and each fails with its own error', async () => {
  const outcomes = await change(async (tx) => {
    const settled = await Promise.allSettled([
      sql<{ is: number }>`select ${1}::int as is`.execute(tx.db),
      sql`select ${1}::int / 0`.execute(tx.db),
      sql`update lamps set name = ${'Dark'} where id = ${1}`.execute(tx.db),
    ])
    throw Object.assign(new Error('Given up'), { settled })
  }).catch((error) => error.settled as PromiseSettledResult<{ rows: unknown[] }>[])
  const describe = (outcome: PromiseSettledResult<{ rows: unknown[] }>) =>
    outcome.status === 'fulfilled' ? outcome.value.rows : String(outcome.reason.message)
  expect(outcomes.map(describe)).toEqual([
    [{ is: 1 }],
    'division by zero',
    'current transaction is aborted, commands ignored until end of transaction block',
  ])
  expect(await find()).toMatchObject([{ name: 'Lit' }])
})

test('a parameter that cannot be sent fails its own statement, and others get their own answers', async () => {
  const endless: Record<string, unknown> = {}
  endless.self = endless
  const work = change((tx) =>
    Promise.allSettled([
      sql<{ is: number }>`select ${1}::int as is`.execute(tx.db),
      sql`select ${endless}::jsonb`.execute(tx.db),
      sql<{ is: number }>`select ${3}::int as is`.execute(tx.db),
    ]),
  )
  const [one, two, three] = await work
  expect([one, three]).toMatchObject([{ value: { rows: [{ is: 1 }] } }, { value: { rows: [{ is: 3 }] } }])
  expect(two).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('circular') } })
  expect(await find()).toMatchObject([{ name: 'Lit' }])
})

test('if the connection ends, every statement sent with the last one fails, and the next transaction has a new connection', async () => {
  const outcomes: PromiseSettledResult<unknown>[] = []
  const work = change(async (tx) => {
    outcomes.push(
      ...(await Promise.allSettled([
        sql`select ${1}::int`.execute(tx.db),
        sql`select pg_terminate_backend(pg_backend_pid()) where ${1} = 1`.execute(tx.db),
        sql`update lamps set name = ${'Dark'} where id = ${1}`.execute(tx.db),
      ])),
    )
  })
  await expect(work).rejects.toThrow()
  expect(outcomes.slice(1).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await find()).toMatchObject([{ name: 'Lit' }])
})

/** How often the only connection sent again after an answer: the number of round trips. */
async function countTrips(work: (change: MakeChange, db: Db) => Promise<unknown>): Promise<number> {
  let [trips, isAnswered] = [0, true]
  const proxy = createServer((client) => {
    const server = createConnection(socketOf(database.connection))
    client.on('data', (sent) => {
      if (isAnswered) trips++
      isAnswered = false
      server.write(sent)
    })
    server.on('data', (answer) => {
      isAnswered = true
      client.write(answer)
    })
    client.on('close', () => server.destroy())
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  const { port } = proxy.address() as AddressInfo
  const proxied = { ...database.connection, host: '127.0.0.1', port }
  const connection = connect(proxied, pino({ level: 'silent' }), undefined, { maxConnections: 1 })
  await sql`select 1`.execute(connection.kysely)
  trips = 0
  await work(shining(connection), connection.kysely)
  const counted = trips
  await connection.end()
  proxy.close()
  return counted
}

/** What a client of PostgreSQL connects to. */
function socketOf({ host, port }: FreshDatabase['connection']) {
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}
