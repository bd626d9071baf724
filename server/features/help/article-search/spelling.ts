import { sql } from 'kysely'
import { type Context, perServer } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

const MAX_WORDS = 20_000
/** Accounts whose words are kept in memory, each with some hundred kilobytes at most. */
const MAX_ACCOUNTS = 50
const MIN_LENGTH = 4
const MAX_CORRECTIONS = 2

interface Known {
  version: number
  words?: Promise<string[]>
  total?: Promise<number>
}

/** What searches need to know of all published articles, read once for each version of a help center. */
export const vocabularies = perServer(({ db }: Context) => {
  const cache = new Map<string, Known>()
  function entryOf(account_id: string, version: number): Known {
    const cached = cache.get(account_id)
    if (cached?.version === version) return cached
    const entry: Known = { version }
    cache.delete(account_id)
    cache.set(account_id, entry)
    if (cache.size > MAX_ACCOUNTS) cache.delete(cache.keys().next().value!)
    return entry
  }
  /** A failed query is repeated by the next search. */
  function drop(account_id: string) {
    return (error: unknown) => {
      cache.delete(account_id)
      throw error
    }
  }
  return {
    /** The words of titles. */
    wordsOf(account_id: string, version: number): Promise<string[]> {
      const entry = entryOf(account_id, version)
      entry.words ??= readTitleWords(db, account_id).catch(drop(account_id))
      return entry.words
    },
    /** The number of published articles, each language counted. */
    totalOf(account_id: string, version: number): Promise<number> {
      const entry = entryOf(account_id, version)
      entry.total ??= countArticles(db, account_id).catch(drop(account_id))
      return entry.total
    },
  }
})

async function countArticles(db: Db, account_id: string): Promise<number> {
  const { count } = await ofAccount(db, account_id)
    .selectFrom('published_articles')
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function readTitleWords(db: Db, account_id: string): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select distinct word from published_articles p, unnest(tsvector_to_array(p.title_words)) word
    where p.account_id = ${account_id} and length(word) >= ${MIN_LENGTH} limit ${MAX_WORDS}`.execute(db)
  return rows.map(({ word }) => word)
}

/**
 * The words of titles that differ from a mistyped word least: by one letter, or two in long words. Letters that changed
 * places count as one. A beginning is compared with beginnings, because people see results while they type.
 */
export function correct(typed: string, words: readonly string[]): string[] {
  if (typed.length < MIN_LENGTH) return []
  const limit = typed.length >= 8 ? 2 : 1
  const near = words.flatMap((word) => {
    if (Math.abs(word.length - typed.length) > limit && !(word.length > typed.length)) return []
    const distance = Math.min(
      distanceOf(typed, word, limit),
      word.length > typed.length
        ? distanceOf(typed, word.slice(0, typed.length), limit) + 0.5
        : Number.POSITIVE_INFINITY,
    )
    return distance <= limit + 0.5 ? [{ word, distance }] : []
  })
  return near
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_CORRECTIONS)
    .map(({ word }) => word)
}

/** Rows of the table of distances, kept because thousands of words are compared for one search. */
const ROWS: [number[], number[], number[]] = [[], [], []]
const FAR = Number.POSITIVE_INFINITY

/**
 * Insertions, deletions, replacements and swapped neighbours; infinite once it exceeds the limit. Only the part of the
 * table near its diagonal is computed: elsewhere more letters are missing than the limit allows.
 */
function distanceOf(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return FAR
  let [older, previous, current] = ROWS
  for (let j = 0; j <= b.length; j++) previous[j] = j
  for (let i = 1; i <= a.length; i++) {
    const first = Math.max(1, i - limit)
    const last = Math.min(b.length, i + limit)
    current[first - 1] = first === 1 ? i : FAR
    current[last + 1] = FAR
    let least = current[first - 1]!
    for (let j = first; j <= last; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, older[j - 2]! + 1)
      current[j] = cost
      least = Math.min(least, cost)
    }
    if (least > limit) return FAR
    ;[older, previous, current] = [previous, current, older]
  }
  return previous[b.length]! <= limit ? previous[b.length]! : FAR
}
