import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NotJson, parseForeignJson, parseJson } from './json.ts'

const parse = (text: string) => parseJson(text, 50)

test.each([
  ['"\\ud83d\\ude00 \\uD83D\\uDE00"', '😀 😀'],
  ['"cut \\ud83d"', 'cut \ufffd'],
  ['"\\ude00\\ud83d\\ud83d\\ude00"', '\ufffd\ufffd😀'],
  ['"C:\\\\ud83d"', 'C:\\ud83d'],
  ['{"\\ud83d": ["\\ude00", {"a": "x\\ud83d"}]}', { '\ufffd': ['\ufffd', { a: 'x\ufffd' }] }],
])('%s is read as %j', (json, value) => {
  expect(parse(json)).toEqual(value)
})

test('the last character of a key may be an escape, whatever was read before', () => {
  for (let times = 0; times < 3; times++) parse('{"plan": 1, "caf\\\\": 2}')
  expect(parse('{"plan": 1, "caf\\u00e9": 2}')).toEqual({ plan: 1, café: 2 })
})

test('in any text complete characters are kept', () => {
  const halves = fc.array(fc.constantFrom('\ud83d', '\ude00', '\\', 'u', 'd83d', '"', 'ä', '\n'), { maxLength: 12 })
  fc.assert(
    fc.property(halves, (parts) => {
      const text = parts.join('')
      expect(parse(JSON.stringify({ [text]: text }))).toEqual({ [text.toWellFormed()]: text.toWellFormed() })
    }),
    { seed: 20_261_122 },
  )
})

test.each(['{"__proto__": {"admin": true}}', '{"\\u005f_proto__": {"admin": true}}', '{"a": [{"__proto__": 1}]}'])(
  'the prototype in %s is dropped',
  (json) => {
    const value = parse(json) as { admin?: boolean }
    expect(value.admin).toBeUndefined()
    expect(JSON.stringify(value)).not.toContain('proto')
  },
)

test.each(['{', '', '[1,]', `${'['.repeat(51)}${']'.repeat(51)}`, `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`])(
  '%s is refused',
  (json) => {
    expect(() => parse(json)).toThrow(NotJson)
  },
)

test('brackets in strings do not count, and fifty levels are allowed', () => {
  expect(parse(JSON.stringify('['.repeat(1000)))).toBe('['.repeat(1000))
  expect(parse(`${'['.repeat(50)}"\\"["${']'.repeat(50)}`)).toBeInstanceOf(Array)
})

test('JSON of other systems is read without NUL characters, and undefined is what is none', () => {
  const typed = String.raw`\u0000`
  expect(parseForeignJson(JSON.stringify({ 'na\u0000me': ['a\u0000b', typed, '\ud83d'] }))).toEqual({
    name: ['ab', typed, '\ufffd'],
  })
  expect((parseForeignJson('{"__pro\\u0000to__": {"admin": true}}') as { admin?: boolean }).admin).toBeUndefined()
  for (const text of ['', '{', 'not found', '['.repeat(200)]) expect(parseForeignJson(text)).toBeUndefined()
})
