import { findLinks } from '#contract/text/links.ts'
import { wordsOf } from '../../conversations/search/terms.ts'
import { stemOf } from '../article-search/terms.ts'
import type { Piece } from './articles.ts'
import { conceptsIn } from './concepts.ts'

/** What remains of an answer, and the pieces that it is from. */
interface Sourced {
  sentences: string[]
  sources: Piece[]
}

/** The share of a sentence's words that are in its source, if both are in one language. */
const MIN_SHARED = 0.5
/** Shorter words are in any text. */
const MIN_LENGTH = 4

/**
 * The sentences of an answer that name a source and say nothing that matters which is not in it: addresses, numbers,
 * days, and what a company could be held to.
 */
export function keepSourced(answer: string, pieces: Piece[], language: string): Sourced {
  const kept: Sourced = { sentences: [], sources: [] }
  for (const { sentence, numbers } of readCited(answer, language)) {
    const sources = numbers.flatMap((number) => pieces[number - 1] ?? [])
    if (sources.length < numbers.length || !isSupported(sentence, sources, language)) continue
    kept.sentences.push(withEnd(sentence))
    kept.sources.push(...sources)
  }
  return kept
}

/** The sentences of an answer with the numbers behind them. Those without a number are left out. */
function readCited(answer: string, language: string): { sentence: string; numbers: number[] }[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
  const cited = [...answer.matchAll(/([^[]*(?:\[(?!\d+\])[^[]*)*)((?:\[\d+\][\s,]*)+)/g)]
  return cited.flatMap(([, text = '', marks = '']) => {
    // What stands behind the mark of the sentence before is its end.
    const sentences = [...segmenter.segment(text.replace(/^[\s.,;:!?。！？।]+/, ''))].map(({ segment }) =>
      segment.trim(),
    )
    const sentence = sentences.filter(Boolean).at(-1)
    return sentence ? [{ sentence, numbers: [...marks.matchAll(/\d+/g)].map(Number) }] : []
  })
}

function isSupported(sentence: string, sources: Piece[], language: string): boolean {
  const source = sources.map(({ article, text }) => `${article.title}\n${text}`).join('\n')
  if (addressesIn(sentence).some((address) => !source.toLowerCase().includes(address))) return false
  const numbers = numbersIn(source)
  if ([...numbersIn(sentence)].some((number) => !numbers.has(number))) return false
  const concepts = conceptsIn(source)
  if ([...conceptsIn(sentence)].some((concept) => !concepts.has(concept))) return false
  const isOneLanguage = sources.every(({ article }) => primaryOf(article.language) === primaryOf(language))
  return !isOneLanguage || sharedWith(sentence, source) >= MIN_SHARED
}

/** Links and addresses of mail, as they are written. */
function addressesIn(text: string): string[] {
  const written = text.match(/[^\s()[\]<>"'“”„]+@[^\s()[\]<>"'“”„]+|\/\/[^\s()[\]<>"'“”„]+/g) ?? []
  // A name such as `shop.example` is read as an address, too, even if nothing makes it a link.
  const hosts = text.match(/(?<![\w@.-])(?:[a-z0-9-]+\.)+[a-z]{2,24}(?![\w-])/gi) ?? []
  const addresses = [...written, ...hosts, ...findLinks(text).map((link) => link.text)]
  return addresses.map((address) => address.toLowerCase().replace(/[.,;:!?]+$/, ''))
}

/** All rows of digits: prices, dates and telephone numbers consist of them, whatever stands between. */
function numbersIn(text: string): Set<string> {
  return new Set(text.normalize('NFKC').match(/\p{Nd}+/gu) ?? [])
}

/** How many of the words of a sentence are in a source, by their stems; of scripts without blanks, of its characters. */
function sharedWith(sentence: string, source: string): number {
  const stemsOf = (text: string) =>
    wordsOf(text)
      .filter((word) => word.length >= MIN_LENGTH || !/^[a-z]+$/.test(word))
      .map(stemOf)
  const stems = [...new Set(stemsOf(sentence))]
  if (stems.length === 0) return 0
  const sourceStems = stemsOf(source)
  return (
    stems.filter((stem) => sourceStems.some((word) => word.startsWith(stem) || stem.startsWith(word))).length /
    stems.length
  )
}

function withEnd(sentence: string): string {
  const text = sentence.replace(/[[\]<>]/g, '\\$&')
  return /[.!?。！？।]["”»]?$/.test(text) ? text : `${text}.`
}

const primaryOf = (tag: string) => tag.split('-')[0]
