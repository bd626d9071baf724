import { expect, test } from 'vitest'
import { resolveSettings } from './config.ts'

const token = '0a4cf2a3-07c0-4ee9-bd0b-7a2e1d3c5b66'
const SCRIPT = 'https://chat.test/widget.js'

test('the server is the script’s origin, unless the page names another', () => {
  expect(resolveSettings({ token }, SCRIPT).base).toBe('https://chat.test')
  expect(resolveSettings({ token, baseUrl: 'https://other.test/' }, SCRIPT).base).toBe('https://other.test')
})

test('old embeds work: the token may have its former name', () => {
  expect(resolveSettings({ accountId: token }, SCRIPT).token).toBe(token)
})

test('without a well-formed token the script says so', () => {
  expect(() => resolveSettings({}, SCRIPT)).toThrow('Invalid `token`')
  expect(() => resolveSettings({ token: `${token}0` }, SCRIPT)).toThrow('Invalid `token`')
})

test('the position is a side, or a side with an offset', () => {
  const at = (position: object | 'left' | 'right' | undefined) => {
    const { side, offset } = resolveSettings({ token, position }, SCRIPT)
    return [side, offset]
  }
  expect(at(undefined)).toEqual(['right', 20])
  expect(at('left')).toEqual(['left', 20])
  expect(at({ side: 'left', offset: 0 })).toEqual(['left', 0])
})
