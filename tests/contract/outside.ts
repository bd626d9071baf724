import { randomUUID } from 'node:crypto'
import type { ApiDocument, JsonSchema } from './document.ts'

/** Values that a shape refuses, most of them by a hair. Empty if it admits everything. */
export function outsideOf(document: ApiDocument, schema: JsonSchema): unknown[] {
  const inside = document.resolve(schema)
  if (isLenient(inside)) return []
  const choices = (inside.anyOf ?? inside.oneOf ?? [inside]) as JsonSchema[]
  const near = choices.flatMap((choice) => nearBounds(document.resolve(choice)))
  const all = [
    ...near,
    'banana 7',
    '',
    ' ',
    -1,
    0,
    0.5,
    2 ** 31,
    2 ** 53,
    1e308,
    true,
    null,
    [],
    [1],
    {},
    { id: {} },
    '2026-02-30',
    'a\u0000b',
  ]
  return all.filter((value) => document.complaintAbout(schema, value) !== undefined)
}

/** Whether the document says that a value of another form is ignored, for old clients. */
export function isLenient(schema: JsonSchema): boolean {
  return schema['x-lenient'] === true
}

function nearBounds({
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  format,
  items,
}: JsonSchema): unknown[] {
  const values: unknown[] = []
  if (minimum !== undefined) values.push(Number(minimum) - 1)
  if (maximum !== undefined) values.push(Number(maximum) + 1)
  if (minLength) values.push('x'.repeat(Number(minLength) - 1))
  if (maxLength !== undefined) values.push('x'.repeat(Number(maxLength) + 1))
  if (minItems) values.push(Array(Number(minItems) - 1).fill(randomUUID()))
  if (maxItems !== undefined && items) values.push(Array(Number(maxItems) + 1).fill(randomUUID()))
  if (format === 'date-time') values.push('2027-02-30', '2026-13-01T00:00:00Z', '2026-11-27T25:00:00Z', '20261127')
  if (format === 'date') values.push('2027-02-30', '2026-13-01', '27.11.2026')
  if (format === 'uuid') values.push('8c1f4b52-0a57-4d0c-9a39', 'x')
  return values
}
