import type * as z from 'zod/mini'

/**
 * A copy with the fields that a shape of the contract names, also in the shapes and lists inside it. Everything else
 * stays on the server: whatever reaches visitors goes through this, so that a new column is not sent to them until
 * somebody names it. Where a shape knows the value (`z.null()`, a literal, `z.object({})`), the value is the shape's.
 */
export function pick<S extends z.ZodMiniObject>(shape: S, value: { [Key in keyof z.output<S>]: unknown }): z.output<S> {
  return pickValue(shape, value) as z.output<S>
}

function pickValue(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'null') return null
  if (def.type === 'literal' && def.values.length === 1) return def.values[0]
  if (value === null || value === undefined) return value
  if (def.type === 'nullable' || def.type === 'optional') return pickValue(def.innerType, value)
  if (def.type === 'array') return (value as unknown[]).map((item) => pickValue(def.element, item))
  if (def.type === 'tuple') return def.items.map((item, at) => pickValue(item, Reflect.get(value as object, at)))
  if (def.type !== 'object') return value
  const fields = Object.entries(def.shape).filter(([key]) => key in (value as object))
  return Object.fromEntries(fields.map(([key, field]) => [key, pickValue(field, Reflect.get(value as object, key))]))
}
