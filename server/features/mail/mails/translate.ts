import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isolate } from '#contract/text/isolate.ts'
import english from '../../../../locales/en/server.json' with { type: 'json' }
import { localesFolder, SERVER_LANGUAGES } from '../../../languages.ts'
import { withoutLinks } from './without-links.ts'

/** The name of a text, without its plural form. */
export type TextKey = keyof typeof english extends infer Key
  ? Key extends `${infer Stem}_${'one' | 'other'}`
    ? Stem
    : Key
  : never

const catalogues = new Map<string, Record<string, string>>(
  SERVER_LANGUAGES.map((language) => [
    language,
    { ...english, ...JSON.parse(readFileSync(join(localesFolder, language, 'server.json'), 'utf8')) },
  ]),
)

/**
 * A text in a language with its placeholders filled in, in the plural form for `count` if it has several. What a
 * language lacks is in English.
 */
export function translate(language: string, key: TextKey, values: Record<string, string | number> = {}): string {
  const texts = catalogues.get(language) ?? english
  const text = textOf(language, texts, key, Number(values.count))
  return text.replace(/\{\{(\w+)\}\}/g, (_match, name: string) => {
    const value = String(values[name] ?? '')
    if (NAMES.includes(name)) return isolate(withoutLinks(value), text)
    return WORDS.includes(name) ? isolate(value, text) : value
  })
}

function textOf(language: string, texts: Record<string, string>, key: TextKey, count: number): string {
  const form = () => new Intl.PluralRules(language).select(count)
  return texts[key] ?? texts[`${key}_${form()}`] ?? texts[`${key}_other`]!
}

/** Placeholders for what people and companies call themselves. */
const NAMES = ['name', 'company', 'customer']
/** Placeholders for other words of people. The rest are addresses, numbers and days. */
const WORDS = ['filename', 'query', 'topic']
