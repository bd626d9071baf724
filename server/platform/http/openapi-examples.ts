import type * as z from 'zod/mini'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Whether clients send a shape, or the server does. */
export type Direction = 'input' | 'output'

const ID = '8c1f4b52-0a57-4d0c-9a39-2d7f1b6a3e10'
const TOKEN = 'q7Jx2mLr0bVt5cNa8dKe3fWh6gYu1iPo4sZl9pXk2vA'
const PAST = '2026-11-22T09:30:00.000Z'
/** Some calls refuse a time that has passed. */
const FUTURE = '2040-01-16T09:30:00.000Z'

const BY_FORMAT: Record<string, Record<Direction, string>> = {
  uuid: { input: ID, output: ID },
  guid: { input: ID, output: ID },
  'date-time': { input: FUTURE, output: PAST },
  date: { input: '2026-11-22', output: '2026-11-22' },
}

/** Realistic example values by field name. */
const BY_NAME: [RegExp, string][] = [
  [/_at$|^(first_seen|from|to|timestamp)$/, PAST],
  [/^(from_date|to_date)$/, '2026-11-22'],
  [/(^|_)id$|_ids$|^\w*_id$/, ID],
  [/email|^address$/, 'carla@example.com'],
  [/url$|^href$/, 'https://example.com/'],
  [/language$/, 'de'],
  [/phone/, '+1 555 0100'],
  [/time_zone/, 'Europe/Berlin'],
  [/^(full_|display_|company_)?name$|^label$|^title$/, 'Carla Reyes'],
  [/^(body|content|text|description|message)$/, 'Where is my order?'],
  [/password/, 'correct horse battery'],
  [/color/, 'blue'],
]
/** Limit for recursive shapes. */
const DEEPEST = 20

interface ExampleContext {
  /** Shapes that references name. */
  named: Record<string, JsonSchema>
  io: Direction
  /** The name of the field or parameter, which says what it may hold. */
  name?: string
}

/** An example value of a shape, for the documentation: the one of its declaration, or one made up. */
export function exampleOf(schema: JsonSchema, { named, io, name = '' }: ExampleContext): unknown {
  return example(schema, name, 0)

  function example(declared: JsonSchema, name: string, depth: number): unknown {
    if (depth > DEEPEST) return undefined
    const schema = declared.$ref ? { ...named[declared.$ref.split('/').at(-1) ?? ''], ...declared } : declared
    if (Array.isArray(schema.examples)) return schema.examples[0]
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
    if (choices) return example(choices.find(({ type }) => type !== 'null') ?? choices[0] ?? {}, name, depth + 1)
    if (schema.properties) return exampleOfObject(schema, depth)
    if (schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array'))) {
      const item = example((schema.items ?? {}) as JsonSchema, name.replace(/s$/, ''), depth + 1)
      return item === undefined ? [] : [item]
    }
    return exampleOfValue(schema, name, io)
  }

  function exampleOfObject({ properties = {}, required = [] }: JsonSchema, depth: number) {
    const fields = Object.entries(properties).map(([key, value]) => [key, example(value as JsonSchema, key, depth + 1)])
    return Object.fromEntries(fields.filter(([key, value]) => value !== undefined || required.includes(key as string)))
  }
}

function exampleOfValue({ type: types, format, minimum, pattern }: JsonSchema, name: string, io: Direction): unknown {
  const type = Array.isArray(types) ? types.find((candidate) => candidate !== 'null') : types
  if (type === 'integer' || type === 'number') return Math.max(1, Number(minimum ?? 1))
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (!type && format) return BY_FORMAT[format]?.[io]
  if (type !== 'string') return type === 'object' ? {} : undefined
  const formatted = BY_FORMAT[format ?? '']
  if (formatted) return formatted[io]
  const usual = BY_NAME.find(([called]) => called.test(name))?.[1] ?? 'text'
  if (!pattern) return usual
  return (
    [usual, '1', 'true', 'https://example.com/', 'https://example.com', 'carla@example.com', '#0d5f7a', TOKEN].find(
      (candidate) => new RegExp(pattern).test(candidate),
    ) ?? usual
  )
}
