import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ChatWidget, identify, parley } from './index.ts'

test('on a server the component renders nothing, and commands do nothing', () => {
  expect(renderToString(createElement(ChatWidget, { token: 'any', baseUrl: 'https://chat.test' }))).toBe('')
  expect(() => parley('open')).not.toThrow()
  expect(() => identify({ external_id: '42' })).not.toThrow()
})
