import { foldWords } from '#contract/conversations/search-words.ts'

/** Words that must follow each other; with `isPrefix` the last one may be a prefix. */
export interface Term {
  words: string[]
  isPrefix: boolean
}

const DAY_MS = 86_400_000
const KEY_WORD_LIMIT = 64
/** PostgreSQL stores no longer words, and refuses them in a query. */
const MAX_WORD_BYTES = 2046

/** More terms hardly narrow the result, and each costs the database. */
const MAX_TERMS = 10

/** The first ten terms without repeats, each with at most ten words. */
export function fewTerms(terms: Term[]): Term[] {
  const cut = terms.map(({ words, isPrefix }) => ({
    words: words.slice(0, MAX_TERMS),
    isPrefix: isPrefix && words.length <= MAX_TERMS,
  }))
  return [...new Map(cut.map((term) => [`${term.isPrefix} ${term.words.join(' ')}`, term])).values()].slice(
    0,
    MAX_TERMS,
  )
}

/** The words of a text as the database stores them: longer ones are left out there, too. */
export function wordsOf(text: string): string[] {
  return foldWords(text)
    .map(({ word }) => word)
    .filter((word) => Buffer.byteLength(word) <= MAX_WORD_BYTES)
}

/** Words of which each may be the beginning of a longer one. */
export function prefixTerms(texts: string[]): Term[] {
  const words = texts.map(wordsOf).filter((words) => words.length > 0)
  return fewTerms(words.map((words) => ({ words, isPrefix: true })))
}

/** For `words @@ …`: every term, its words next to each other. */
export function matchQuery(terms: Term[]): string {
  return terms.map(({ words, isPrefix }) => `(${words.map(quote).join(' <-> ')}${isPrefix ? ':*' : ''})`).join(' & ')
}

/** For the index: every word of every term, for this account and, with messages, this day and these authors. */
export function keyQuery(terms: Term[], account_id: string, day?: number, user_ids: number[] = []): string {
  const scope = keyScope(account_id, day)
  const words = terms.flatMap((term) =>
    term.words.map((word, i) => {
      const isOpen = term.isPrefix && i === term.words.length - 1
      return `${quote(scope + [...word].slice(0, KEY_WORD_LIMIT).join(''))}${isOpen ? ':*' : ''}`
    }),
  )
  const authors = user_ids.map((id) => quote(`${scope}@${id}`)).join(' | ')
  return [...words, ...(authors ? [`(${authors})`] : [])].join(' & ')
}

/** What stands before each word in the index: of this account, and with messages of this day. */
export function keyScope(account_id: string, day?: number): string {
  return account_id.slice(0, 8) + (day === undefined ? '' : day.toString(16).padStart(4, '0'))
}

/** The number that `search_day` computes for a time. */
export function dayOf(at: string): number {
  return Math.max(0, Math.min(65_535, Math.floor(Date.parse(at) / DAY_MS)))
}

export function startOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString()
}

/** Words contain letters and digits only; the parser still needs quotes. */
function quote(word: string): string {
  return `'${word.replace(/['\\]/g, '')}'`
}
