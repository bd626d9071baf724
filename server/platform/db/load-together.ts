import DataLoader from 'dataloader'
import type { Db } from './change.ts'

/** The key of a row in an account. */
interface RowKey<Id> {
  account_id: string
  id: Id
}

/** Longer arrays save nothing more. */
const MAX_KEYS = 200

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
    const found = new Map(await Promise.all(loading))
    return keys.map(({ account_id, id }) => found.get(account_id)?.get(id))
  }, queueMicrotask)
  return (db, account_id, id) => loadOne(db, { account_id, id })
}

/**
 * The same for rows found without an account: by the hash of a secret, or by the id of a topic. Requests and joins that
 * arrived together begin with it, each in an event-loop turn of its own, so the batch waits until all pending input was
 * read.
 * @param find the rows with any of these keys
 */
export function findTogether<Key extends string | Buffer, Row>(
  find: (db: Db, keys: Key[]) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): (db: Db, key: Key) => Promise<Row | undefined> {
  const name = (key: Key) => (typeof key === 'string' ? key : key.toString('latin1'))
  return batch(async (db, keys: readonly Key[]) => {
    const rows = await find(db, [...keys])
    const byKey = new Map(rows.map((row) => [name(keyOf(row)), row]))
    return keys.map((key) => byKey.get(name(key)))
  }, setImmediate)
}

/**
 * The same for any question whose answers one statement can give.
 * @param answer the answers in the order of the questions
 * @param most how many questions go into one statement
 */
export function answerTogether<Question, Answer>(
  answer: (db: Db, questions: readonly Question[]) => Promise<Answer[]>,
  most: number,
): (db: Db, question: Question) => Promise<Answer> {
  return batch(answer, queueMicrotask, most)
}

/** @param schedule runs the statement once all concurrent calls were made */
function batch<Key, Value>(
  answer: (db: Db, keys: readonly Key[]) => Promise<Value[]>,
  schedule: (begin: () => void) => void,
  most = MAX_KEYS,
) {
  const loaders = new WeakMap<Db, DataLoader<Key, Value>>()
  const open = (db: Db) =>
    new DataLoader((keys: readonly Key[]) => answer(db, keys), {
      cache: false,
      maxBatchSize: most,
      batchScheduleFn: (begin) => void schedule(begin),
    })
  return (db: Db, key: Key): Promise<Value> => {
    const loader = loaders.get(db) ?? open(db)
    loaders.set(db, loader)
    return loader.load(key)
  }
}
