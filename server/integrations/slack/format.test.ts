import { expect, test } from 'vitest'
import { toMrkdwn } from './format.ts'

const ADDRESS = 'https://parley.test/conversations/all/1'
const REST = `\n<${ADDRESS}|Read the rest>`
const team = (body: string, address?: string) => toMrkdwn({ body, customer_id: null }, address)

test('a long message ends at a whole character, with its formatting closed and a link to the rest', () => {
  const family = '👩‍👩‍👧‍👦'
  const written = team(`**${family.repeat(1_000)}** end`, ADDRESS)
  expect(written.length).toBeLessThan(2_700)
  expect(written).toMatch(new RegExp(`^\\*(${family})+…\\*\n<`))
  expect(written.endsWith(REST)).toBe(true)
  const code = team(`\`\`\`\n${'x'.repeat(5_000)}\n\`\`\``, ADDRESS)
  expect(code).toMatch(/^```\nx+…\n```\n</)
  const escaped = team('&'.repeat(2_400), ADDRESS)
  expect(escaped.length).toBeLessThan(2_700)
  expect(escaped).toMatch(/^(&amp;)+…\n</)
})

test('a message that is short enough, or whose reader cannot read the rest elsewhere, is whole', () => {
  expect(team('**red** [a](https://shop.test/b)', ADDRESS)).toBe('*red* <https://shop.test/b|a>')
  expect(team('x'.repeat(10_000))).toBe('x'.repeat(10_000))
})

test('what a customer typed is not formatted', () => {
  expect(toMrkdwn({ body: 'C:\\_me\\* **no**', customer_id: 'c' }, ADDRESS)).toBe('C:\\_me\\* **no**')
})
