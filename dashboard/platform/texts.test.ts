import i18next from 'i18next'
import { beforeAll, expect, it, vi } from 'vitest'
import { loadRequestedTexts, loadTexts, withTexts } from './texts.ts'

const others = vi.hoisted(() => ({ OTHER_LANGUAGES: {} as Record<string, () => Promise<object>> }))
vi.mock('./other-languages.ts', () => others)

beforeAll(async () => {
  await i18next.init({ lng: 'en', fallbackLng: 'en', ns: ['texts'], defaultNS: 'texts', resources: {} })
})

const textOf = (key: string, lng: string) => i18next.getResource(lng, 'texts', key)

/** Gives a made-up language a file of texts. */
function translate(file: string, load: () => Promise<object>) {
  others.OTHER_LANGUAGES[`../../locales/xx/dashboard/${file}.json`] = load
}

it('loads a page’s texts with its code, in the current language', async () => {
  translate('tags', async () => ({ tags: { new: 'Xxx' } }))
  expect(await withTexts(['tags'], async () => 'the page')()).toBe('the page')
  expect(textOf('tags.new', 'en')).toBe('New tag')
  expect(textOf('tags.new', 'xx')).toBeUndefined()
})

it('loads only requested texts when another language is chosen', async () => {
  translate('issues', async () => ({ issues: { new: 'Never' } }))
  await loadRequestedTexts('xx')
  expect(textOf('tags.new', 'xx')).toBe('Xxx')
  expect(textOf('issues.new', 'xx')).toBeUndefined()
})

it('shows in English what a language lacks, be it a text or a whole file', async () => {
  translate('search', async () => ({ search: {} }))
  await Promise.all([loadTexts('search', 'xx'), loadTexts('sharing', 'xx')])
  const english = ['search', 'sharing'].flatMap((file) => Object.keys(i18next.getResource('en', 'texts', file) ?? {}))
  expect(english.length).toBeGreaterThan(0)
  expect(i18next.t('tags.new', { lng: 'xx' })).toBe('Xxx')
  expect(i18next.t('tags.edit', { lng: 'xx' })).toBe(textOf('tags.edit', 'en'))
  expect(i18next.t('search.nothing', { lng: 'xx' })).toBe(textOf('search.nothing', 'en'))
})

it('loads each text once, and retries after a failure', async () => {
  let tries = 0
  translate('companies', async () => {
    tries++
    if (tries === 1) throw new Error('No network')
    return { companies: { title: 'Xxxs' } }
  })
  await expect(loadTexts('companies', 'xx')).rejects.toThrow('No network')
  await Promise.all([loadTexts('companies', 'xx'), loadTexts('companies', 'xx')])
  expect(tries).toBe(2)
  expect(textOf('companies.title', 'xx')).toBe('Xxxs')
})
