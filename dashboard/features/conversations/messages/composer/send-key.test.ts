import { describe, expect, it } from 'vitest'
import { isSendKey } from './send-key.ts'

const press = (overrides: object) => ({
  key: 'Enter',
  metaKey: false,
  ctrlKey: false,
  keyCode: 13,
  nativeEvent: { isComposing: false },
  ...overrides,
})

describe('the composer', () => {
  it('sends on Cmd+Enter and on Ctrl+Enter', () => {
    expect(isSendKey(press({ metaKey: true }))).toBe(true)
    expect(isSendKey(press({ ctrlKey: true }))).toBe(true)
  })

  it('begins a new line on Enter alone', () => {
    expect(isSendKey(press({}))).toBe(false)
  })

  it('never sends while an input method composes', () => {
    expect(isSendKey(press({ ctrlKey: true, nativeEvent: { isComposing: true } }))).toBe(false)
    expect(isSendKey(press({ ctrlKey: true, keyCode: 229 }))).toBe(false)
  })
})
