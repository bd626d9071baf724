import fc from 'fast-check'
import type { ApiDocument, JsonSchema } from './document.ts'

/** Stands for the id of something that exists when the request is sent. */
export class KnownId {
  readonly name: string
  readonly index: number

  constructor(name: string, index: number) {
    this.name = name
    this.index = index
  }
}

const DEEPEST = 6
const LONGEST = 300

/** Values of a shape: ordinary ones, and those at its bounds. */
export function insideOf(document: ApiDocument, schema: JsonSchema, name = '', depth = 0): fc.Arbitrary<unknown> {
  const inside = document.resolve(schema)
  const next = (inner: JsonSchema, key = name) => insideOf(document, inner, key, depth + 1)
  if (inside.const !== undefined) return fc.constant(inside.const)
  if (inside.enum) return fc.constantFrom(...inside.enum)
  const choices = (inside.anyOf ?? inside.oneOf) as JsonSchema[] | undefined
  const { anyOf: _, oneOf: __, ...shared } = inside
  if (choices) return fc.oneof(...choices.map((choice) => next({ ...shared, ...document.resolve(choice) })))
  const types = [inside.type ?? []].flat()
  if (types.length > 1) return fc.oneof(...types.map((type) => next({ ...inside, type: type as 'string' })))
  switch (types[0]) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return insideOfNumber(inside, name)
    case 'string':
      return insideOfText(inside, name)
    case 'array':
      return fc.array(next((inside.items ?? {}) as JsonSchema, name.replace(/s$/, '')), {
        minLength: Number(inside.minItems ?? 0),
        maxLength: Math.min(Number(inside.maxItems ?? 3), Math.max(3, Number(inside.minItems ?? 0))),
      })
    case 'object':
      return insideOfObject(document, inside, depth)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function insideOfObject(document: ApiDocument, schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const names = Object.keys(properties).filter((name) => depth < DEEPEST || required.includes(name))
  if (names.length === 0)
    return typeof additionalProperties === 'object'
      ? fc.dictionary(
          fc.stringMatching(/^[a-z]{1,8}$/),
          insideOf(document, additionalProperties as JsonSchema, '', depth + 1),
          { maxKeys: 3 },
        )
      : fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
  const fields = Object.fromEntries(
    names.map((name) => [name, insideOf(document, properties[name] as JsonSchema, name, depth + 1)]),
  )
  return someOf(
    fields,
    required.filter((name) => name in fields),
  )
}

/**
 * The required fields, and none, few or many of the others: with all of them at once, most calls would be refused for
 * a rule that the document cannot express.
 */
export function someOf(fields: Record<string, fc.Arbitrary<unknown>>, required: string[]): fc.Arbitrary<unknown> {
  const others = Object.keys(fields).filter((name) => !required.includes(name))
  const chosen = fc.oneof(
    fc.constant([]),
    fc.subarray(others, { maxLength: Math.min(2, others.length) }),
    fc.subarray(others),
  )
  // Without one of these, a thing has no content.
  const usual = others.filter((name) => /^(body|name|message)$/.test(name))
  return fc.tuple(chosen, fc.subarray(usual)).chain(([subset, contents]) => {
    const names = new Set([...required, ...subset, ...contents])
    return fc.record(Object.fromEntries(Array.from(names, (name) => [name, fields[name] as fc.Arbitrary<unknown>])))
  })
}

function insideOfNumber({ type, minimum, maximum }: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const min = Math.max(Number(minimum ?? -(2 ** 31)), -Number.MAX_SAFE_INTEGER)
  const max = Math.min(Number(maximum ?? 2 ** 31 - 1), Number.MAX_SAFE_INTEGER)
  const numbers: fc.Arbitrary<unknown>[] = [
    fc.constantFrom(min, max),
    type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true }),
  ]
  if (/_ids?$/.test(name)) numbers.push(knownId(name), knownId(name))
  return fc.oneof(...numbers)
}

const knownId = (name: string) => fc.nat(50).map((index) => new KnownId(name, index))

const WORDS = fc.constantFrom(
  'Blue chair',
  'Ünïcödé 😀',
  'ab',
  "O'Brien; drop table",
  '<b>x</b>',
  ' spaced ',
  '[]',
  '%_\\',
)
/** Values of formats, each of which the format allows. */
const FORMATS: Record<string, fc.Arbitrary<string>> = {
  'date-time': fc
    .date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  email: fc.constantFrom('somebody@example.com', 'a.b+c@example.org'),
  uri: fc.constantFrom('https://example.com/', 'http://example.org/a?b=c#d'),
}

function insideOfText(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const { format, pattern, minLength = 0, maxLength = LONGEST } = schema
  const limit = Math.min(Number(maxLength), LONGEST)
  const isLong = (text: string) => text.length >= Number(minLength) && text.length <= Number(maxLength)
  if (format === 'uuid')
    return fc.oneof({ weight: 4, arbitrary: knownId(name) }, { weight: 1, arbitrary: fc.uuid({ version: 4 }) })
  const usual = format ? FORMATS[format] : undefined
  if (usual) return usual
  if (pattern) return fc.oneof(...matching(pattern, isLong))
  const texts: fc.Arbitrary<unknown>[] = [
    WORDS.filter(isLong),
    fc
      .string({
        unit: 'grapheme',
        minLength: Number(minLength),
        maxLength: Math.max(Number(minLength), Math.min(limit, 20)),
      })
      .filter(isLong),
    fc.string({ minLength: limit, maxLength: limit }),
  ]
  if (/(^|_)ids?$/.test(name)) texts.push(knownId(name), knownId(name))
  return fc.oneof(...texts)
}

function matching(pattern: string, isLong: (text: string) => boolean): fc.Arbitrary<unknown>[] {
  const expression = new RegExp(pattern)
  const usual = [
    '1',
    'true',
    '12',
    'https://example.com/',
    'somebody@example.com',
    '#0d5f7a',
    'Europe/Berlin',
    'a',
    'x'.repeat(43),
  ]
  const fitting = usual.filter((text) => expression.test(text) && isLong(text))
  const generated = ((): fc.Arbitrary<unknown>[] => {
    try {
      return [fc.stringMatching(expression).filter(isLong)]
    } catch {
      // Lookarounds cannot be generated.
      return []
    }
  })()
  const all = [...generated, ...(fitting.length > 0 ? [fc.constantFrom(...fitting)] : [])]
  return all.length > 0 ? all : [fc.constant('text')]
}
