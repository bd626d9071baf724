import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import { defineTexts, loadTexts, loadWantedTexts, withTexts } from './texts.ts'

beforeAll(async () => {
  await i18next.init({ lng: 'en', ns: ['screens'], defaultNS: 'screens', resources: { en: { screens: {} } } })
})

const textOf = (key: string, lng: string) => i18next.getResource(lng, 'screens', key)

it('loads a page’s texts with its code, in the current language', async () => {
  const texts = defineTexts({ en: async () => ({ lamp: { on: 'On' } }), vi: async () => ({ lamp: { on: 'Bật' } }) })
  expect(await withTexts([texts], async () => 'the page')()).toBe('the page')
  expect(textOf('lamp.on', 'en')).toBe('On')
  expect(textOf('lamp.on', 'vi')).toBeUndefined()
})

it('loads only requested texts when another language is chosen', async () => {
  const texts = defineTexts({ en: async () => ({ requested: 'Yes' }), vi: async () => ({ requested: 'Có' }) })
  defineTexts({ en: async () => ({ never: 'No' }), vi: async () => ({ never: 'Không' }) })
  await loadTexts(texts)
  await loadWantedTexts('vi')
  expect(textOf('requested', 'vi')).toBe('Có')
  expect(textOf('never', 'vi')).toBeUndefined()
})

it('loads each text once, and retries after a failure', async () => {
  let tries = 0
  const texts = defineTexts({
    en: async () => {
      tries++
      if (tries === 1) throw new Error('No network')
      return { door: 'Open' }
    },
    vi: async () => ({ door: 'Mở' }),
  })
  await expect(loadTexts(texts)).rejects.toThrow('No network')
  await Promise.all([loadTexts(texts), loadTexts(texts)])
  expect(tries).toBe(2)
  expect(textOf('door', 'en')).toBe('Open')
})
