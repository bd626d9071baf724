import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'

/** Field values by name: ids of existing things, so that a call is refused only because of its caller. */
export type Known = Record<string, unknown>

interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
}

/** A body with every field filled, derived from the contract, so that new calls are covered by themselves. */
export function sampleBody(endpoint: Endpoint, known: Known): unknown {
  return endpoint.body && sample(schemaOf(endpoint.body), '', known)
}

/** Query parameters with every field filled, as text. */
export function sampleQuery(endpoint: Endpoint, known: Known): string {
  return asText(sampleParameters(endpoint, known))
}

/** Only the known query parameters, as text: others narrow the result, which might then be empty for everybody. */
export function knownQuery(endpoint: Endpoint, known: Known): string {
  return asText(sampleParameters(endpoint, known).filter(([name]) => name in known))
}

function sampleParameters(endpoint: Endpoint, known: Known): [string, unknown][] {
  return endpoint.query ? Object.entries(sample(schemaOf(endpoint.query), '', known) as object) : []
}

function asText(parameters: [string, unknown][]): string {
  return new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString()
}

/**
 * The path with ids filled in: `:id` is looked up in `known` by the first word of the path, such as `conversations`.
 */
export function samplePath({ path }: Endpoint, known: Known): string {
  const noun = path.split('/')[2] ?? ''
  return path.replace(/:(\w+)/g, (_, name) => String(known[name === 'id' ? noun : name] ?? known.id))
}

function schemaOf(schema: z.ZodMiniType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

function sample(schema: JsonSchema, name: string, known: Known): unknown {
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, value]) => [key, sample(value, key, known)]))
  }
  if (name in known) return known[name]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = schema.anyOf?.find((option) => option.type !== 'null')
  if (choice) return sample(choice, name, known)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'array') return schema.items ? [sample(schema.items, name.replace(/s$/, ''), known)] : []
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  return type === 'object' ? {} : 'sample'
}
