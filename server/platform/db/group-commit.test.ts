import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NotFound } from '#server/errors.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { currentRequestId, withRequestId } from '../request-id.ts'
import { type Change, createChange } from './change.ts'
import { type Connection, connect } from './connection.ts'
import { createGroupedChange, type GroupedChange, NeedsOwnTransaction } from './group-commit.ts'

let database: FreshDatabase
let db: Connection
let grouped: GroupedChange
let published: { type: string; name: string; request_id: string | null | undefined }[][]

beforeAll(async () => {
  database = await freshDatabase()
  db = connect(database.connection, pino({ level: 'silent' }))
  await sql`create table lamps (id int primary key, lit int not null, transaction xid8)`.execute(db.kysely)
  await sql`insert into lamps select id, 0 from generate_series(1, 40) id`.execute(db.kysely)
  const change = createChange<{ type: string; name: string }>(db.kysely, {
    append: (_, announced) => async () => announced.map((announcement, i) => ({ ...announcement, log_id: i })),
    publish: (logged) => void published.push(logged.map(({ event, request_id }) => ({ ...event, request_id }))),
  })
  published = []
  grouped = createGroupedChange(change)
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

const ALL = Array.from({ length: 40 }, (_, i) => i + 1)

async function light({ db }: Change, id: number) {
  const { rows } = await sql<{ lit: number; transaction: string }>`
    update lamps set lit = lit + 1, transaction = pg_current_xact_id() where id = ${id}
    returning lit, transaction::text`.execute(db)
  return rows[0]!
}
const lightTogether = (ids: number[], account = 'acme') =>
  Promise.allSettled(ids.map((id) => grouped(account, `${id}`, (tx) => light(tx, id))))
const readLit = async () =>
  (await sql<{ id: number; lit: number }>`select id, lit from lamps order by id`.execute(db.kysely)).rows

test('concurrent work shares few transactions, and each caller gets its own result', async () => {
  const before = new Map((await readLit()).map(({ id, lit }) => [id, lit]))
  const outcomes = await lightTogether(ALL)
  const lit = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined))
  expect(lit.map((result) => result?.lit)).toEqual(ALL.map((id) => before.get(id)! + 1))
  const transactions = new Set(lit.map((result) => result?.transaction))
  // The first ran alone; each further transaction took as many as fit.
  expect(transactions.size).toBe(3)
})

test('calls with the same key have a transaction each, in the order of the calls', async () => {
  const answered: number[] = []
  const outcomes = await Promise.all(
    ALL.map((i) =>
      grouped('acme', 'one', (tx) => light(tx, 1)).then((result) => ({ ...result, i, at: answered.push(i) })),
    ),
  )
  expect(answered).toEqual(ALL)
  expect(new Set(outcomes.map(({ transaction }) => transaction)).size).toBe(ALL.length)
  expect(outcomes.map(({ lit }) => lit - outcomes[0]!.lit)).toEqual(ALL.map((i) => i - 1))
})

test('accounts share no transactions and do not wait for each other', async () => {
  const [ours, theirs] = await Promise.all([lightTogether([1, 2, 3], 'acme'), lightTogether([4, 5, 6], 'other')])
  const transactionsOf = (outcomes: typeof ours) =>
    new Set(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.transaction : '')))
  expect(transactionsOf(ours).intersection(transactionsOf(theirs)).size).toBe(0)
})

test.for([
  ['refuses', async () => Promise.reject(new NotFound())],
  ['runs a statement that fails', ({ db }: Change) => sql`select 1 / 0`.execute(db)],
  ['does not wait for a statement that fails', async (tx: Change) => tx.pending(sql`select 1 / 0`.execute(tx.db))],
  [
    'refuses after it has written',
    async (tx: Change) => {
      await light(tx, 7)
      throw new NotFound()
    },
  ],
] as const)('work that %s fails alone and leaves nothing behind, and the others are stored', async ([, wrong]) => {
  const before = await readLit()
  const others = ALL.filter((id) => id !== 7)
  const calls = [
    ...others.slice(0, 5).map((id) => grouped('acme', `${id}`, (tx) => light(tx, id))),
    grouped<unknown>('acme', '7', wrong),
    ...others.slice(5).map((id) => grouped('acme', `${id}`, (tx) => light(tx, id))),
  ]
  const outcomes = await Promise.allSettled(calls)
  expect(outcomes.map(({ status }) => status)).toEqual(calls.map((_, i) => (i === 5 ? 'rejected' : 'fulfilled')))
  expect(await readLit()).toEqual(before.map(({ id, lit }) => ({ id, lit: id === 7 ? lit : lit + 1 })))
})

test('work that would have to wait gets a transaction of its own, and the others do not wait', async () => {
  const holding = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holder = db.kysely.transaction().execute(async (tx) => {
    await sql`select from lamps where id = 3 for update`.execute(tx)
    held.resolve()
    await holding.promise
  })
  await held.promise
  const tryToLight = async (tx: Change, id: number) => {
    if (tx.isShared) {
      const { rows } = await sql`select from lamps where id = ${id} for update skip locked`.execute(tx.db)
      if (rows.length === 0) throw new NeedsOwnTransaction()
    }
    return light(tx, id)
  }
  let isThirdDone = false
  const calls = [1, 2, 3, 4, 5].map((id) => grouped('acme', `${id}`, (tx) => tryToLight(tx, id)))
  void calls[2]!.then(() => {
    isThirdDone = true
  })
  await Promise.all(calls.filter((_, i) => i !== 2))
  // The queue continues after it.
  await grouped('acme', '9', (tx) => light(tx, 9))
  expect(isThirdDone).toBe(false)
  holding.resolve()
  await holder
  expect(await calls[2]).toMatchObject({ lit: expect.any(Number) })
})

test('an announced event carries the request id of its caller, and is published after the commit', async () => {
  published = []
  const kind = { type: 'lamp:lit', payload: undefined as never }
  await Promise.all(
    [1, 2, 3, 4].map((id) =>
      withRequestId(`request-${id}`, () =>
        grouped('acme', `${id}`, async (tx) => {
          await light(tx, id)
          tx.announce('acme', kind, { name: `${id} ${currentRequestId()}` })
        }),
      ),
    ),
  )
  const events = published.flat().sort((a, b) => a.name.localeCompare(b.name))
  expect(events).toEqual(
    [1, 2, 3, 4].map((id) => ({ type: 'lamp:lit', name: `${id} request-${id}`, request_id: `request-${id}` })),
  )
  expect(published.length).toBeLessThan(4)
})
