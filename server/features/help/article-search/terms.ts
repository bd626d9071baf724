import { wordsOf } from '../../conversations/search/terms.ts'

/** A word that is searched for. */
export interface QuestionTerm {
  /** The words that follow each other: one, or a pair of characters of a script without blanks. */
  words: string[]
  /** The beginning that is enough: the word itself, or its stem for endings such as `-s` and `-en`. */
  stem: string
}

/** More words hardly change what is found, and each costs the database. */
const MAX_TERMS = 12
const WITHOUT_BLANKS =
  /^[\u0e00-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17dd\u1950-\u19df\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]$/u

/**
 * The words of a question, folded as in the database. Scripts without blanks have one word for each character there, so
 * they are searched by pairs of characters, which mean more than single ones.
 */
export function termsOf(question: string): QuestionTerm[] {
  const words = wordsOf(question)
  const terms = new Map<string, QuestionTerm>()
  words.forEach((word, at) => {
    const next = words[at + 1]
    if (!WITHOUT_BLANKS.test(word)) terms.set(word, { words: [word], stem: stemOf(word) })
    else if (next && WITHOUT_BLANKS.test(next)) terms.set(word + next, { words: [word, next], stem: next })
    else if (!WITHOUT_BLANKS.test(words[at - 1] ?? '')) terms.set(word, { words: [word], stem: word })
  })
  return mostTelling([...terms.values()])
}

/** Of a long question the longest words, in their order: short ones are the same in every question. */
function mostTelling(terms: QuestionTerm[]): QuestionTerm[] {
  if (terms.length <= MAX_TERMS) return terms
  const isPair = ({ words }: QuestionTerm) => words.length > 1
  const length = (term: QuestionTerm) => (isPair(term) ? 5 : term.words[0]!.length)
  const kept = new Set(terms.toSorted((a, b) => length(b) - length(a)).slice(0, MAX_TERMS))
  return terms.filter((term) => kept.has(term))
}

/** Endings differ between question and text (`invoices`, `bezahlt`). The first three quarters of a word are its stem. */
export function stemOf(word: string): string {
  const letters = [...word]
  return letters.length < 5 ? word : letters.slice(0, Math.max(4, Math.ceil(letters.length * 0.7))).join('')
}

/** Beginnings shorter than this would match half of all words. */
const MIN_PREFIX = 3

/** The words that follow each other in an article for a term, with `:*` behind a beginning. `write` quotes one word. */
export function lexemesOf({ words, stem }: QuestionTerm, write = (word: string) => `'${word}'`): string[] {
  if (words.length > 1) return words.map((word) => write(word))
  return [stem.length < MIN_PREFIX ? write(stem) : `${write(stem)}:*`]
}

/** For `words @@ …`: the stem and whatever follows it. */
export function stemQuery(term: QuestionTerm): string {
  return lexemesOf(term).join(' <-> ')
}

/** For `words @@ …`: the whole word. */
export function wordQuery({ words }: QuestionTerm): string {
  return words.map((word) => `'${word}'`).join(' <-> ')
}

/** For excerpts: the words to find and to mark. */
export function partsOf(terms: readonly QuestionTerm[]) {
  return terms.map(({ words }) => ({ kind: 'word' as const, value: words.join(' '), start: 0, end: 0 }))
}
