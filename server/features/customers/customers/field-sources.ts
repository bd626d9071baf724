import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Customer, FieldSource } from '#contract/customers/customers.ts'
import { columnsWhere } from './columns.ts'

type KnownFields = Pick<Customer, 'field_sources' | 'metadata'>
type Fields = Partial<Record<string, unknown>> & { metadata?: Record<string, unknown> | null }

/** Fields that identify a person, besides metadata. All others describe a device, and are the browser's to set. */
export const IDENTITY_FIELDS = columnsWhere('identity', true)

/** SQL condition: whether a field of `table` comes from another source than an unsigned browser. */
export function isTrusted(table: string, field: (typeof IDENTITY_FIELDS)[number]) {
  return sql<boolean>`${sql.ref(`${table}.field_sources`)} ? ${field}`
}

/** The fields that an unsigned browser may still change: those of other sources are left out. */
export function withoutTrusted<Given extends Fields>({ field_sources, metadata }: KnownFields, fields: Given): Given {
  const { metadata: newMetadata, ...plain } = fields
  const allowed = Object.fromEntries(Object.entries(plain).filter(([field]) => !field_sources[field]))
  if (!newMetadata) return allowed as Given
  const isTrustedKey = ([key]: [string, unknown]) => !!field_sources[`metadata.${key}`]
  const own = Object.entries(newMetadata).filter((entry) => !isTrustedKey(entry))
  return {
    ...allowed,
    metadata: Object.fromEntries([...own, ...Object.entries(metadata).filter(isTrustedKey)]),
  } as Given
}

/** The sources after the team, an import or a proof has set some fields. A repeated value keeps its source. */
export function mergeSources(
  before: (KnownFields & Fields) | undefined,
  fields: Fields,
  source: FieldSource,
): Customer['field_sources'] {
  const merged = { ...before?.field_sources }
  for (const field of IDENTITY_FIELDS) {
    const isChanged = fields[field] !== undefined && fields[field] !== (before?.[field] ?? null)
    if (isChanged || (source === 'proof' && fields[field])) merged[field] = source
  }
  if (fields.metadata === undefined) return merged
  const [were, are] = [before?.metadata ?? {}, fields.metadata ?? {}]
  for (const key of new Set([...Object.keys(were), ...Object.keys(are)])) {
    if (!isDeepStrictEqual(were[key], are[key])) merged[`metadata.${key}`] = source
  }
  return merged
}
