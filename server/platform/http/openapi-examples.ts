import type * as z from 'zod/mini'

type JsonSchema = z.core.JSONSchema.BaseSchema

const ID = '8c1f4b52-0a57-4d0c-9a39-2d7f1b6a3e10'
const TOKEN = 'q7Jx2mLr0bVt5cNa8dKe3fWh6gYu1iPo4sZl9pXk2vA'
const MOMENT = '2026-11-22T09:30:00.000Z'

/** Realistic example values by field name. */
const BY_NAME: [RegExp, string][] = [
  [/_at$|^(first_seen|from|to|from_date|to_date|timestamp)$/, MOMENT],
  [/(^|_)id$|_ids$|^\w*_id$/, ID],
  [/email/, 'carla@example.com'],
  [/url$|^href$/, 'https://example.com/'],
  [/phone/, '+1 555 0100'],
  [/^(full_|display_|company_)?name$|^label$|^title$/, 'Carla Reyes'],
  [/^(body|content|text|description|message)$/, 'Where is my order?'],
  [/password/, 'correct horse battery'],
  [/color/, 'blue'],
]
/** Limit for recursive shapes. */
const DEEPEST = 20

/** An example value of a shape, for the documentation. Names are looked up in `named`. */
export function exampleOf(schema: JsonSchema, named: Record<string, JsonSchema>): unknown {
  return example(schema, '', 0)

  function example(given: JsonSchema, name: string, depth: number): unknown {
    if (depth > DEEPEST) return undefined
    const schema = given.$ref ? (named[given.$ref.split('/').at(-1) ?? ''] ?? {}) : given
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
    if (choices) return example(choices.find(({ type }) => type !== 'null') ?? choices[0] ?? {}, name, depth + 1)
    if (schema.properties) return exampleOfObject(schema, depth)
    if (schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array'))) {
      const one = example((schema.items ?? {}) as JsonSchema, name.replace(/s$/, ''), depth + 1)
      return one === undefined ? [] : [one]
    }
    return exampleOfValue(schema, name)
  }

  function exampleOfObject({ properties = {}, required = [] }: JsonSchema, depth: number) {
    const fields = Object.entries(properties).map(([key, value]) => [key, example(value as JsonSchema, key, depth + 1)])
    return Object.fromEntries(fields.filter(([key, value]) => value !== undefined || required.includes(key as string)))
  }
}

function exampleOfValue({ type: types, format, minimum, pattern }: JsonSchema, name: string): unknown {
  const type = Array.isArray(types) ? types.find((one) => one !== 'null') : types
  if (type === 'integer' || type === 'number') return Math.max(1, Number(minimum ?? 1))
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type !== 'string') return type === 'object' ? {} : undefined
  if (format === 'uuid' || format === 'guid') return ID
  const usual = BY_NAME.find(([called]) => called.test(name))?.[1] ?? 'text'
  if (!pattern) return usual
  return (
    [usual, '1', 'true', 'https://example.com/', 'https://example.com', 'carla@example.com', '#0d5f7a', TOKEN].find(
      (one) => new RegExp(pattern).test(one),
    ) ?? usual
  )
}
