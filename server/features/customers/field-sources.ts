import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Customer, FieldSource } from '#contract/customers.ts'

/** Who says something of a customer. What an unsigned browser says may be anybody's invention. */
export type Source = FieldSource | 'browser'

type Known = Pick<Customer, 'field_sources' | 'metadata'>
type Fields = Partial<Record<string, unknown>> & { metadata?: Record<string, unknown> | null }

/** What says who somebody is, apart from metadata. Everything else is about a device, and its browser's own word. */
export const IDENTITY_FIELDS = ['name', 'email', 'phone', 'external_id', 'profile_photo_url', 'time_zone'] as const

/** In a query: whether somebody other than an unsigned browser has said a field of `table`. */
export function isTrusted(table: string, field: (typeof IDENTITY_FIELDS)[number]) {
  return sql<boolean>`${sql.ref(`${table}.field_sources`)} ? ${field}`
}

/** What an unsigned browser may still say of a customer: the words of others stay. */
export function withoutTrusted<Told extends Fields>({ field_sources, metadata }: Known, told: Told): Told {
  const { metadata: given, ...plain } = told
  const rest = Object.fromEntries(Object.entries(plain).filter(([field]) => !field_sources[field]))
  if (!given) return rest as Told
  const isKept = ([key]: [string, unknown]) => !!field_sources[`metadata.${key}`]
  const own = Object.entries(given).filter((entry) => !isKept(entry))
  return { ...rest, metadata: Object.fromEntries([...own, ...Object.entries(metadata).filter(isKept)]) } as Told
}

/** Who says each field of a customer once the team, an import or a proof has said some. What is repeated stays whose it was. */
export function noteSources(
  before: (Known & Fields) | undefined,
  told: Fields,
  source: FieldSource,
): Customer['field_sources'] {
  const noted = { ...before?.field_sources }
  for (const field of IDENTITY_FIELDS) {
    const isSaid = told[field] !== undefined && told[field] !== (before?.[field] ?? null)
    if (isSaid || (source === 'proof' && told[field])) noted[field] = source
  }
  if (told.metadata === undefined) return noted
  const [were, are] = [before?.metadata ?? {}, told.metadata ?? {}]
  for (const key of new Set([...Object.keys(were), ...Object.keys(are)])) {
    if (!isDeepStrictEqual(were[key], are[key])) noted[`metadata.${key}`] = source
  }
  return noted
}
