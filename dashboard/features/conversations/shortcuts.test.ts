import { describe, expect, it } from 'vitest'
import { shortcutFor } from './shortcuts.ts'

const press = (key: string, given: object = { metaKey: true }) => ({
  key,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...given,
})

describe('the keys of the inbox', () => {
  it.each([
    ['ArrowDown', 'next'],
    ['ArrowUp', 'previous'],
    ['d', 'close'],
    ['p', 'prioritize'],
    ['u', 'unprioritize'],
    ['o', 'reopen'],
  ])('%s with the meta key asks for %s', (key, shortcut) => {
    expect(shortcutFor(press(key))).toBe(shortcut)
    expect(shortcutFor(press(key, { ctrlKey: true }))).toBe(shortcut)
  })

  it('mean nothing alone, with further keys, or while characters are composed', () => {
    expect(shortcutFor(press('d', {}))).toBeUndefined()
    expect(shortcutFor(press('d', { metaKey: true, shiftKey: true }))).toBeUndefined()
    expect(shortcutFor(press('d', { metaKey: true, isComposing: true }))).toBeUndefined()
    expect(shortcutFor(press('x'))).toBeUndefined()
  })
})
