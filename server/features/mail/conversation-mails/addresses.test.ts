import { decodeWords } from 'postal-mime'
import { expect, test } from 'vitest'
import { readAddresses } from './addresses.ts'

const MARA = 'mara@shoe.example'
const ONE: Record<string, [header: string, name: string | null]> = {
  'a comment before it names another address': [
    '(old: pete@bank.example (2019), moved) <mara@shoe.example>',
    'old: pete@bank.example (2019), moved',
  ],
  'a comment between name and brackets': ['Mara (was <pete@bank.example>) <mara@shoe.example>', 'Mara'],
  'a quoted name looks like an address': ['"pete@bank.example" <mara@shoe.example>', 'pete@bank.example'],
  'a name in brackets comes first': ['Pete <pete@bank.example> <mara@shoe.example>', 'Pete'],
  'the bracket is not closed': ['Mara Ilves <mara@shoe.example', 'Mara Ilves'],
  'the quotation mark is not closed': ['"Mara Ilves <mara@shoe.example>', 'Mara Ilves'],
  'the comment is not closed': ['Mara (sales <mara@shoe.example>', 'Mara sales'],
  'a source route': ['Mara <@one.example,@two.example:mara@shoe.example>', 'Mara'],
  'a comma in an encoded word': ['=?utf-8?Q?Ilves,_Mara?= <mara@shoe.example>', 'Ilves, Mara'],
  'a name with a comma, unquoted': ['Ilves, Mara <mara@shoe.example>', 'Ilves, Mara'],
  'apostrophes around it': ["'mara@shoe.example'", null],
  'apostrophes inside the brackets': ["Mara <'mara@shoe.example'>", 'Mara'],
  'mailto, with brackets': ['Mara <mailto:mara@shoe.example>', 'Mara'],
  'mailto, without brackets': ['mailto:mara@shoe.example', null],
  'doubled brackets': ['Mara <<mara@shoe.example>>', 'Mara'],
  'spaces inside the brackets': ['Mara < mara@shoe.example >', 'Mara'],
  'spaces around the sign': ['Mara <mara @ shoe.example>', 'Mara'],
  'square brackets with mailto': ['Mara [mailto:mara@shoe.example]', null],
  'only a comment as name': ['mara@shoe.example (Mara Ilves)', 'Mara Ilves'],
  'a group of one': ['Shop: mara@shoe.example;', null],
  'the whole header encoded': ['=?utf-8?Q?Mara_=3Cmara=40shoe=2Eexample=3E?=', 'Mara'],
  'escaped quotation marks': ['"Mara \\"M\\" Ilves" <MARA@Shoe.example>', 'Mara "M" Ilves'],
  'an encoded name that looks like an address': [
    '=?utf-8?q?pete=40bank=2Eexample?= <mara@shoe.example>',
    'pete@bank.example',
  ],
}

test.for(Object.entries(ONE))('one address: %s', ([, [header, name]]) => {
  expect(readAddresses(header, decodeWords)).toEqual([{ address: MARA, name }])
})

test('lists keep their order, and what is no address is left out', () => {
  const header =
    'Mara <mara@shoe.example>, undisclosed-recipients:; "Tom, Shop" <tom@shoe.example>; o\'neil@shoe.example, nobody'
  expect(readAddresses(header, decodeWords).map(({ address }) => address)).toEqual([
    MARA,
    'tom@shoe.example',
    "o'neil@shoe.example",
  ])
})

test.for([
  '(',
  '"',
  '<',
  '<a@b',
  '=?utf-8?q?',
  ',',
  'a,',
  'a@b,',
  '()',
  '<>',
  '(<"',
  'a@b ',
  ']',
  ' ',
  '.',
  'a@b.',
  '<a ',
  '@',
  '\\',
  ':',
])('a header of nothing but %s takes no time', (piece) => {
  const started = performance.now()
  readAddresses(piece.repeat(100_000), decodeWords)
  expect(performance.now() - started).toBeLessThan(500)
})
