import { queryOptions } from '@tanstack/react-query'
import { type AttributeSubject, attributes } from '#contract/customers/attributes.ts'
import { call } from '../../../platform/http/api.ts'
import { ATTRIBUTES_KEY } from './keys.ts'

/** Events tell of changes. */
const FRESH_MS = 600_000

/** The attributes of customers and conversations, in their order. */
export const attributesQuery = queryOptions({
  queryKey: ATTRIBUTES_KEY,
  queryFn: async ({ signal }) => (await call(attributes.list, { signal })).data,
  staleTime: FRESH_MS,
})

/** Keys that are used but not defined yet. */
export function suggestionsQuery(subject: AttributeSubject) {
  return queryOptions({
    queryKey: [...ATTRIBUTES_KEY, 'suggestions', subject],
    queryFn: async ({ signal }) => (await call(attributes.suggestions, { query: { subject }, signal })).data,
  })
}
