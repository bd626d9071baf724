import { expect, test } from 'vitest'
import { toMarkdown } from './format.ts'

const ADDRESS = 'https://mattermost.test/conversations/all/1'

test('a long message ends at a whole character outside of code, with a link to the rest', () => {
  const family = '👩‍👩‍👧‍👦'
  const written = toMarkdown({ body: `\`\`\`\n${family.repeat(2_000)}\n\`\`\``, customer_id: null }, ADDRESS)
  expect(written).toMatch(new RegExp(`^\`\`\`\n(${family})+…\n\`\`\`\n\n\\[Read the rest\\]\\(${ADDRESS}\\)$`))
})

test('formatting of the team stays, what a customer typed is escaped, and links stay whole', () => {
  const body = '**a** 1. ¯\\_(ツ)_/¯ https://shop.test/@ada_\n- b @all'
  expect(toMarkdown({ body, customer_id: null }, ADDRESS)).toBe(body.replace('@all', '@\u200ball'))
  expect(toMarkdown({ body, customer_id: 'c' }, ADDRESS)).toBe(
    '\\*\\*a\\*\\* 1. ¯\\\\\\_(ツ)\\_/¯ https://shop.test/@ada_\n\\- b @\u200ball',
  )
})
