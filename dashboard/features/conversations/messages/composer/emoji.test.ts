import { describe, expect, it } from 'vitest'
import { EMOJI_GROUPS, findEmoji } from './emoji.ts'

const signs = (text: string) => findEmoji(text).map(({ sign }) => sign)

describe('emoji', () => {
  it('are found by name, best first, and by words in English and Vietnamese, with or without accents', () => {
    expect(signs('smile')[0]).toBe('😄')
    expect(signs('thumbs_up')).toEqual(['👍'])
    expect(signs('thanks')).toContain('🙏')
    expect(signs('cảm ơn')).toContain('🙏')
    expect(signs('cam on')).toContain('🙏')
    expect(signs('zebra crossing')).toEqual([])
  })

  it('are listed once each, with a unique name', () => {
    const all = EMOJI_GROUPS.flatMap(({ emoji }) => emoji)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
    expect(new Set(all.map(({ sign }) => sign)).size).toBe(all.length)
  })
})
