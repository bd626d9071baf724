import { describe, expect, it } from 'vitest'
import { triggerAt } from './triggers.ts'

const at = (text: string) => triggerAt(text, text.length)

describe('a menu in the composer', () => {
  it('opens for a trigger at the beginning of a word, with the text after it', () => {
    expect(at('@')).toEqual({ character: '@', query: '', start: 0, end: 1 })
    expect(at('Ask @Ben Sm')).toEqual({ character: '@', query: 'Ben Sm', start: 4, end: 11 })
    expect(at('(/thanks')).toMatchObject({ character: '/', query: 'thanks' })
    expect(at('first line\n#tha')).toMatchObject({ character: '#', query: 'tha', start: 11 })
    expect(at('so :smi')).toMatchObject({ character: ':', query: 'smi' })
  })

  it('knows names in letters of any language', () => {
    expect(at('@Nguyễn')).toMatchObject({ query: 'Nguyễn' })
    expect(at(':cười')).toMatchObject({ query: 'cười' })
  })

  it('stays closed within words, addresses, times and headings', () => {
    for (const text of [
      'ada@acme.test',
      'https://acme.test',
      'and/or',
      'at 10:30',
      '# Title',
      'Note: this',
      '11/20',
      ':)',
    ]) {
      expect(at(text), text).toBeUndefined()
    }
  })

  it('considers only the text before the cursor, and not in long texts', () => {
    expect(triggerAt('@be and more', 3)).toMatchObject({ query: 'be', end: 3 })
    expect(at(`/${'x'.repeat(60)}`)).toBeUndefined()
    expect(at('@ben\n')).toBeUndefined()
  })
})
