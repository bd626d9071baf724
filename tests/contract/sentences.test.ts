import { expect, test } from 'vitest'
import { features } from '#contract/index.ts'
import { readSchemas } from '#server/features/operations/operations/schema-names.ts'
import { describeApi } from '#server/platform/http/openapi.ts'
import type { JsonSchema, Parameter } from './document.ts'

/** Names that say it all. Everything else has a sentence in the contract, by `z.describe`. */
const PLAIN = new Set(
  [
    'id object ok data count limit error event payload created_at updated_at',
    'account_id user_id customer_id conversation_id message_id inbox_id company_id tag_id issue_id author_id assignee_id',
    'name full_name first_name last_name email phone password company_name company website website_url industry country',
    'title subject body content description filename content_type user_agent code profile_photo_url logo_image_url',
    'settings exp_month exp_year page_number page_size total_pages messages message conversations customer snoozed closed',
    'tags mentions unseen_mention_user_ids changes',
  ].flatMap((names) => names.split(' ')),
)

/** Whether it has a sentence, or its form says what it is: a named shape, a list of one, a constant, or a wrapper of fields. */
function isPlain(schema: JsonSchema): boolean {
  if (schema.description || schema.$ref || schema.const !== undefined || schema.type === 'null' || schema.properties)
    return true
  const parts = [...(schema.anyOf ?? []), ...(Array.isArray(schema.items) ? [] : [schema.items ?? []])].flat()
  return parts.some((part) => typeof part === 'object' && isPlain(part) && part.type !== 'null')
}

/** Finds properties without a sentence in a part of the document, as `name (where)`. */
function findSilent(part: unknown, where: string): string[] {
  if (Array.isArray(part)) return part.flatMap((item) => findSilent(item, where))
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => {
    if (key !== 'properties') return key.startsWith('example') ? [] : findSilent(value, where)
    const properties = Object.entries(value as Record<string, JsonSchema>)
    return properties.flatMap(([name, schema]) => [
      ...(PLAIN.has(name) || isPlain(schema) ? [] : [`${name} (${where})`]),
      ...findSilent(schema, where),
    ])
  })
}

test('every property and parameter of the API whose name does not say it all has a sentence', async () => {
  const { paths, components } = describeApi({ features, schemas: await readSchemas() }, '', '') as unknown as {
    paths: Record<string, Record<string, { operationId: string; parameters: Parameter[] }>>
    components: { schemas: Record<string, JsonSchema> }
  }
  const calls = Object.values(paths).flatMap((methods) => Object.values(methods))
  expect([
    ...Object.entries(components.schemas).flatMap(([name, schema]) => findSilent(schema, name)),
    ...calls.flatMap((call) => findSilent(call, call.operationId)),
    ...calls.flatMap(({ operationId, parameters }) =>
      parameters
        .filter(({ name, description, schema }) => !description && !PLAIN.has(name) && !isPlain(schema))
        .map(({ name }) => `?${name} (${operationId})`),
    ),
  ]).toEqual([])
})
