import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import english from '../../../../../locales/en/dashboard/emoji.json'
import { EMOJI_GROUPS, findEmoji } from './emoji.ts'

beforeAll(async () => {
  const resources = { en: { texts: english }, vi: { texts: { emoji_words: { pray: 'cảm ơn làm ơn' } } } }
  await i18next.init({ lng: 'vi', fallbackLng: 'en', defaultNS: 'texts', resources })
})

const signs = (text: string) => findEmoji(text).map(({ character }) => character)

describe('emoji', () => {
  it('are found by name, best first, and by words in English and the language of the screens, with or without accents', () => {
    expect(signs('smile')[0]).toBe('😄')
    expect(signs('thumbs_up')).toEqual(['👍'])
    expect(signs('thanks')).toContain('🙏')
    expect(signs('cảm ơn')).toContain('🙏')
    expect(signs('cam on')).toContain('🙏')
    expect(signs('zebra crossing')).toEqual([])
  })

  it('have search words', () => {
    const names = EMOJI_GROUPS.flatMap(({ emoji }) => emoji.map(({ name }) => name))
    expect(Object.keys(english.emoji_words)).toEqual(names)
  })

  it('are listed once each, with a unique name', () => {
    const all = EMOJI_GROUPS.flatMap(({ emoji }) => emoji)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    expect(new Set(all.map(({ character }) => character)).size).toBe(all.length)
  })
})
