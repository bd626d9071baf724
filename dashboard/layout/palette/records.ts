import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type SearchHit, search } from '#contract/conversations/search.ts'
import { companies } from '#contract/customers/companies.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { displayName } from '#contract/customers/customers.ts'
import { issues } from '#contract/customers/issues.ts'
import { articles } from '#contract/help/articles.ts'
import { pathOfView } from '../../features/conversations/conversations/views.ts'
import { fullName } from '../../features/customers/customers/editing/full-name.ts'
import { call } from '../../platform/http/api.ts'
import { logError } from '../../platform/http/errors.ts'
import type { Entry } from './palette-entries.ts'

/** Shorter texts match too many records. */
const MIN_QUERY_LENGTH = 2
const MAX_RECORDS = 5

export type RecordMatches = Omit<Entry, 'run'> & { path: string }

/** A few customers, companies, issues, articles and conversations that contain every typed word. */
export function recordsQuery(q: string) {
  return queryOptions({
    queryKey: ['palette', q],
    queryFn: async ({ signal }): Promise<RecordMatches[]> => {
      const lists = await Promise.all(SOURCES.map((find) => find(q, signal).catch((error) => nothing(error, signal))))
      return lists.flatMap((matches) => matches.slice(0, MAX_RECORDS))
    },
    enabled: q.length >= MIN_QUERY_LENGTH,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
  })
}

/** A failed search does not hide the results of the others. Aborted ones are not logged. */
function nothing(error: unknown, { aborted }: AbortSignal): RecordMatches[] {
  if (!aborted) logError('Palette did not find', error)
  return []
}

const SOURCES: ((q: string, signal: AbortSignal) => Promise<RecordMatches[]>)[] = [
  async (q, signal) => {
    const { data } = await call(customerProfiles.list, { query: { q, page_size: MAX_RECORDS }, signal })
    return data.map((customer) => ({
      id: `customer ${customer.id}`,
      section: 'customer',
      icon: 'person',
      title: fullName(customer),
      path: `/customers/${customer.id}`,
    }))
  },
  async (q, signal) => {
    const { data } = await call(companies.list, { query: { q, limit: MAX_RECORDS }, signal })
    return data.map(({ id, name }) => ({
      id: `company ${id}`,
      section: 'company',
      icon: 'building',
      title: name,
      path: `/companies/${id}`,
    }))
  },
  async (q, signal) => {
    const { data } = await call(issues.list, { query: { q, limit: MAX_RECORDS }, signal })
    return data.map(({ id, title }) => ({
      id: `issue ${id}`,
      section: 'issue',
      icon: 'record',
      title,
      path: `/issues/${id}`,
    }))
  },
  async (q, signal) => {
    const { data } = await call(articles.list, { query: { q, limit: MAX_RECORDS }, signal })
    return data.map(({ id, translations }) => ({
      id: `article ${id}`,
      section: 'article',
      icon: 'book',
      title: translations[0]?.title ?? '',
      path: `/help-center/articles/${id}`,
    }))
  },
  async (q, signal) => {
    const { data } = await call(search.find, { query: { q, limit: MAX_RECORDS }, signal })
    return data.map(toMatch)
  },
]

function toMatch({ conversation, message }: SearchHit): RecordMatches {
  const path = pathOfView({ bucket: conversation.status === 'closed' ? 'closed' : 'all' }, conversation.id)
  const text = message?.excerpt.text || conversation.subject
  const name = displayName(conversation.customer)
  return {
    id: `found ${message?.id ?? conversation.id}`,
    section: 'found',
    icon: 'chat',
    title: text ? `${name}: ${text}` : name,
    path: message ? `${path}?message=${message.number}` : path,
  }
}
