import DataLoader from 'dataloader'
import type { Db } from './change.ts'

/** The key of a row in an account. */
interface RowKey<Id> {
  account_id: string
  id: Id
}

/** Longer arrays save nothing more. */
const MAX_KEYS = 200
/** A slow statement delays the ones after it by no more than this. */
const MAX_WAIT_MS = 20

/**
 * Turns a look-up of many rows into one of a single row: concurrent look-ups on the same connection or transaction are
 * batched into one statement. Nothing is cached.
 * @param load the rows of an account by id; ids that it does not find are left out
 */
export function loadTogether<Id, Value>(
  load: (db: Db, account_id: string, ids: Id[]) => Promise<Map<Id, Value>>,
): (db: Db, account_id: string, id: Id) => Promise<Value | undefined> {
  const loadOne = batch(async (db, keys: readonly RowKey<Id>[]) => {
    const idsByAccount = Map.groupBy(keys, (key) => key.account_id)
    const loading = idsByAccount.entries().map(async ([account_id, keys]) => {
      const ids = new Set(keys.map(({ id }) => id))
      return [account_id, await load(db, account_id, [...ids])] as const
    })
    const rowsByAccount = new Map(await Promise.all(loading))
    return keys.map(({ account_id, id }) => rowsByAccount.get(account_id)?.get(id))
  })
  return (db, account_id, id) => loadOne(db, { account_id, id })
}

/**
 * The same for rows found without an account: by the hash of a secret, or by the id of a topic. Requests and joins begin
 * with it, each in an event-loop turn of its own, so these look-ups take turns (`takeTurns`).
 * @param find the rows with any of these keys
 */
export function findTogether<Key extends string | Buffer, Row>(
  find: (db: Db, keys: Key[]) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): (db: Db, key: Key) => Promise<Row | undefined> {
  const name = (key: Key) => (typeof key === 'string' ? key : key.toString('latin1'))
  return batch(
    async (db, keys: readonly Key[]) => {
      const rows = await find(db, [...keys])
      const byKey = new Map(rows.map((row) => [name(keyOf(row)), row]))
      return keys.map((key) => byKey.get(name(key)))
    },
    { schedule: takeTurns },
  )
}

/**
 * The same for any question whose answers one statement can give.
 * @param answer the answers in the order of the questions
 * @param maxSize how many questions go into one statement
 */
export function answerTogether<Question, Answer>(
  answer: (db: Db, questions: readonly Question[]) => Promise<Answer[]>,
  maxSize: number,
): (db: Db, question: Question) => Promise<Answer> {
  return batch(answer, { maxSize, schedule: takeTurns })
}

/** Calls `begin` once all keys of a batch were collected. `running` is the statement of the batch before. */
type Schedule = (begin: () => void, running: Promise<unknown> | undefined) => void

/** Collects what is asked in the same turn of the event loop. */
const inThisTurn: Schedule = (begin) => queueMicrotask(begin)

/**
 * Collects what is asked while the statement before is running, so batches grow with the load. A single call waits only
 * until all input that has arrived is read.
 */
const takeTurns: Schedule = (begin, running) => {
  if (!running) return void setImmediate(begin)
  let isWaiting = true
  const next = () => {
    clearTimeout(timer)
    if (isWaiting) setImmediate(begin)
    isWaiting = false
  }
  const timer = setTimeout(next, MAX_WAIT_MS)
  running.then(next, next)
}

function batch<Key, Value>(
  answer: (db: Db, keys: readonly Key[]) => Promise<Value[]>,
  { schedule = inThisTurn, maxSize = MAX_KEYS } = {},
) {
  const loaders = new WeakMap<Db, DataLoader<Key, Value>>()
  const open = (db: Db) => {
    let running: Promise<unknown> | undefined
    const ask = async (keys: readonly Key[]) => {
      const answers = answer(db, keys)
      running = answers
      try {
        return await answers
      } finally {
        if (running === answers) running = undefined
      }
    }
    return new DataLoader(ask, {
      cache: false,
      maxBatchSize: maxSize,
      batchScheduleFn: (begin) => schedule(begin, running),
    })
  }
  return (db: Db, key: Key): Promise<Value> => {
    const loader = loaders.get(db) ?? open(db)
    loaders.set(db, loader)
    return loader.load(key)
  }
}
