import type { Faq } from './faqs.ts'

/** The usual BM25 parameters for repeated words and long texts. */
const SATURATION = 1.2
const LENGTH = 0.75
/** Words of the question count more than words of the answer. */
const QUESTION_WEIGHT = 3
/** The lowest score, as a share of a full match, that counts as an answer and not as a coincidence. */
const ENOUGH = 0.3

const IDLE_WORDS = new Set(
  'a an the is are was were be do does did can could will would i you we it me my your our of to in on at for with and or if how what when where who why which there this that have has from us'.split(
    ' ',
  ),
)

/** Stemmed words, without case, accents and stop words. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('đ', 'd').toLowerCase()
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => !IDLE_WORDS.has(word)).map(stem)
}

function stem(word: string): string {
  if (word.length <= 3) return word
  return word.replace(/(ing|ed|es|e|s)$/, '').replace(/y$/, 'i')
}

/** The pair that answers a question best, ranked by shared words (BM25); undefined if none is close enough. */
export function findAnswer(faqs: readonly Faq[], question: string): Faq | undefined {
  const searched = [...new Set(wordsOf(question))]
  const texts = faqs.map(({ question: trained, answer }) => [
    ...Array.from({ length: QUESTION_WEIGHT }, () => wordsOf(trained)).flat(),
    ...wordsOf(answer),
  ])
  const usual = texts.reduce((sum, words) => sum + words.length, 0) / (texts.length || 1)
  const rarity = (word: string) => {
    const known = texts.filter((words) => words.includes(word)).length
    return Math.log(1 + (texts.length - known + 0.5) / (known + 0.5))
  }
  const scores = texts.map((words) =>
    searched.reduce((sum, word) => {
      const times = words.filter((one) => one === word).length
      const held = SATURATION * (1 - LENGTH + (LENGTH * words.length) / usual)
      return sum + (rarity(word) * times * (SATURATION + 1)) / (times + held)
    }, 0),
  )
  const best = Math.max(0, ...scores)
  const most = searched.reduce((sum, word) => sum + rarity(word) * (SATURATION + 1), 0)
  return best > 0 && best / most >= ENOUGH ? faqs[scores.indexOf(best)] : undefined
}
