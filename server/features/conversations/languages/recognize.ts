import { findLinks } from '#contract/text/links.ts'
import languages from './languages.json' with { type: 'json' }

/** What is looked at: a language shows in the first lines, and the time for a message stays the same however long it is. */
const MOST_CHARACTERS = 600
/** A name or a “thanks” says little about the language in which somebody writes. */
const FEWEST_HITS = 2
/** The least share of the words that belong to a language; fewer are chance. */
const LEAST_SHARE = 0.25
/** What words say at least that several languages have. */
const LEAST_SCORE = 0.7
/** How much more belongs to the language than to the next one. Less may be a relative of both. */
const LEAD = 1.35
/** The most words of other languages, for each of the language. More is a text in two. */
const MOST_STRANGERS = 0.5
/** A script of a single language, or that of most of a text. */
const MOST_OF_TEXT = 0.6

const WORD = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu
/** Codes, names of variables, and what is called so everywhere, belong to no language. */
const NO_WORD = /\S*\d\S*|\{[^{}]{0,80}\}|`[^`]{0,200}`|(?<!\p{L})e-mails?(?!\p{L})/giu

/** The languages of each word of the lists: where several have it, it says less about each. */
const byWord = new Map<string, string[]>()
for (const [language, wordList] of Object.entries(languages.words))
  for (const word of new Set(wordList.split(' '))) byWord.set(word, [...(byWord.get(word) ?? []), language])

const byLetter = new Map<string, string[]>()
for (const [language, letters] of Object.entries(languages.letters))
  for (const letter of letters) byLetter.set(letter, [...(byLetter.get(letter) ?? []), language])

const scripts = Object.entries(languages.scripts).map(([script, language]) => ({
  pattern: new RegExp(`\\p{Script=${script}}`, 'gu'),
  language,
}))
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HAN = /\p{Script=Han}/gu

/**
 * The language of a text by its script, and by words and letters that only some languages have, as a code such as `de`.
 * Null where a text is too short, mixed, or in a language that is not known here: none is better than a wrong one.
 */
export function recognizeLanguage(text: string): string | null {
  const read = withoutLinks(text.slice(0, MOST_CHARACTERS)).replace(NO_WORD, ' ').normalize('NFC').toLowerCase()
  const letters = count(read, /\p{L}/gu)
  if (letters < 2) return null
  return byScript(read, letters) ?? byWords(read)
}

function byScript(text: string, letters: number): string | undefined {
  const isMost = (signs: number) => signs >= 2 && signs / letters >= MOST_OF_TEXT
  const kana = count(text, KANA)
  const han = count(text, HAN)
  if (isMost(kana + han)) return kana / (kana + han) > 0.1 ? 'ja' : 'zh'
  return scripts.find(({ pattern }) => isMost(count(text, pattern)))?.language
}

function byWords(text: string): string | null {
  const words = text.match(WORD) ?? []
  const scores = new Map<string, { score: number; hits: number }>()
  const add = (language: string, weight: number) => {
    const { score, hits } = scores.get(language) ?? { score: 0, hits: 0 }
    scores.set(language, { score: score + weight, hits: hits + 1 })
  }
  const candidates = words.map((word) => byWord.get(word.replaceAll('’', "'")) ?? languagesByLetters(word))
  for (const languages of candidates) for (const language of languages) add(language, 1 / languages.length)
  const [best, next] = [...scores].sort(([, a], [, b]) => b.score - a.score)
  if (!best) return null
  const [language, { score, hits }] = best
  const isEnough = hits >= FEWEST_HITS && hits / words.length >= LEAST_SHARE && score >= LEAST_SCORE
  const strangers = candidates.filter((languages) => languages.length > 0 && !languages.includes(language)).length
  if (strangers > MOST_STRANGERS * hits) return null
  return isEnough && score >= LEAD * (next?.[1].score ?? 0) ? language : null
}

/** A word that is in no list still shows its language by a letter that few have. */
function languagesByLetters(word: string): string[] {
  for (const letter of word) {
    const candidates = byLetter.get(letter)
    if (candidates) return candidates
  }
  return []
}

function withoutLinks(text: string): string {
  let result = text
  for (const { at, text: link } of findLinks(text).reverse())
    result = `${result.slice(0, at)} ${result.slice(at + link.length)}`
  return result
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
