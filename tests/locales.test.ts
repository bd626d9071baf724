import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ASKING } from '#server/features/help/first-answers/wishes.ts'
import { languageChoices } from '../dashboard/features/conversations/writing-help/languages.ts'

const root = resolve(import.meta.dirname, '../locales')
const languages = readdirSync(root)

type Texts = Record<string, string>

/** The texts of a file by their whole keys. */
function readTexts(language: string, file: string): Texts {
  return flatten(JSON.parse(readFileSync(join(root, language, file), 'utf8')))
}

function flatten(texts: object, above = ''): Texts {
  const entries = Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' ? Object.entries(flatten(value, `${above}${key}.`)) : [[above + key, value]],
  )
  return Object.fromEntries(entries)
}

function listFiles(language: string): string[] {
  const files = readdirSync(join(root, language), { recursive: true }).map((path) => String(path).replaceAll('\\', '/'))
  return files.filter((path) => path !== 'dashboard')
}

/** What a translation gets wrong, by key. */
function compare(language: string, english: Texts, texts: Texts): string[] {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const expected = new Map<string, string>()
  for (const [key, text] of Object.entries(english)) {
    const stem = key.replace(/_(one|other)$/, '')
    const isPlural = stem !== key && `${stem}_one` in english && `${stem}_other` in english
    if (!isPlural) expected.set(key, text)
    else
      for (const category of categories)
        expected.set(`${stem}_${category}`, english[`${stem}_${category}`] ?? english[`${stem}_other`]!)
  }
  return [
    ...[...expected.keys()].filter((key) => !texts[key]?.trim()).map((key) => `${key} is missing`),
    ...Object.keys(texts)
      .filter((key) => !expected.has(key))
      .map((key) => `${key} is not in English`),
    ...[...expected]
      .filter(([key, text]) => texts[key]?.trim() && placeholdersIn(key, texts[key]) !== placeholdersIn(key, text))
      .map(([key, text]) => `${key} needs ${placeholdersIn(key, text) || 'no placeholders'}`),
  ]
}

/** Placeholders and tags, also misspelt ones. A plural form may say “a message” instead of its number. */
function placeholdersIn(key: string, text: string): string {
  const all = new Set([...text.matchAll(/\{+[^{}]*\}+|<\/?\w+\/?>/g)].map(([placeholder]) => placeholder))
  if (/_(zero|one|two|few|many|other)$/.test(key)) all.delete('{{count}}')
  return [...all].sort().join(' ')
}

describe.for(languages)('the texts in %s', (language) => {
  const files = listFiles(language)

  test('are named by a language tag, and split into the same files as English', () => {
    expect(Intl.getCanonicalLocales(language)).toEqual([language])
    expect(files.filter((file) => !existsSync(join(root, 'en', file)))).toEqual([])
    const dashboard = listFiles('en').filter((file) => file.startsWith('dashboard/'))
    if (files.some((file) => file.startsWith('dashboard/'))) expect(files).toEqual(expect.arrayContaining(dashboard))
  })

  test('have the keys and placeholders of English, and the plural forms of the language', () => {
    const problems = files.flatMap((file) =>
      compare(language, readTexts('en', file), readTexts(language, file)).map((problem) => `${file}: ${problem}`),
    )
    expect(problems).toEqual([])
  })

  test.runIf(files.includes('widget.json'))('say in which direction the widget is read', () => {
    const locale = new Intl.Locale(language) as Intl.Locale & { getTextInfo(): { direction: string } }
    expect(readTexts(language, 'widget.json').direction).toBe(locale.getTextInfo().direction)
  })
})

test('a text can be translated into every language of the chat, and people can ask for a person in it', () => {
  const ofChat = languages.filter((language) => listFiles(language).includes('widget.json')).sort()
  const codes = languageChoices('en').map(({ code }) => code)
  expect(codes.sort()).toEqual(ofChat)
  expect(Object.keys(ASKING).sort()).toEqual(ofChat)
})

test('missing, surplus and empty texts, plural forms and placeholders are noticed', () => {
  const english = { hello: 'Hello {{name}}', 'few.days_one': '{{count}} day', 'few.days_other': '{{count}} days' }
  expect(compare('en', english, english)).toEqual([])
  expect(compare('vi', english, { hello: 'Chào {{name}}', 'few.days_other': '{{count}} ngày' })).toEqual([])
  expect(compare('pl', english, { hello: ' ', 'few.days_one': 'dzień', 'few.days_other': '{{count}} dnia' })).toEqual([
    'hello is missing',
    'few.days_few is missing',
    'few.days_many is missing',
  ])
  expect(compare('vi', english, { ...english, 'few.days_one': 'một' })).toContain('few.days_one is not in English')
  expect(compare('vi', english, { hello: 'Chào {name}', bye: 'Hẹn gặp', 'few.days_other': '{{cuont}} ngày' })).toEqual([
    'bye is not in English',
    'hello needs {{name}}',
    'few.days_other needs no placeholders',
  ])
})
