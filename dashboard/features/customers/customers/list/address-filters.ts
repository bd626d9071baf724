import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { CUSTOMER_ORDERS, type CustomerOrder, type SortDirection } from '#contract/customers/customer-profiles.ts'
import { useDebounced } from '../../../../platform/forms/useDebounced.ts'
import type { CustomerListQuery } from '../customer-list.ts'

const PATH = '/customers'
const DEBOUNCE_MS = 200
/** The server's limit. */
const MAX_QUERY_LENGTH = 200
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The parameters of a filter, in the address and when saved. */
const KEPT = ['q', 'tag_ids', 'include_anonymous', 'order', 'attribute', 'direction'] as const

/** Another order than the usual one: those online first, then by last visit. */
export interface Sort {
  order: CustomerOrder
  direction: SortDirection
  /** The key of the attribute; only with that order. */
  attribute?: string
}

/** Where a page begins or ends in such an order. */
export type Cursor = { after?: string; before?: string }

export interface Filters {
  q: string
  tag_ids: string[]
  include_anonymous: boolean
  sort?: Sort | undefined
  page: number
  cursor: Cursor
}

/** Reads filters from the address. Invalid values are ignored. */
export function readFilters(params: URLSearchParams): Filters {
  return {
    q: (params.get('q') ?? '').slice(0, MAX_QUERY_LENGTH),
    tag_ids: (params.get('tag_ids') ?? '').split(',').filter((id) => ID.test(id)),
    include_anonymous: params.get('include_anonymous') !== 'false',
    sort: readSort(params),
    page: Math.max(1, Math.floor(Number(params.get('page'))) || 1),
    cursor: Object.fromEntries(
      (['after', 'before'] as const).flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])),
    ),
  }
}

function readSort(params: URLSearchParams): Sort | undefined {
  const order = CUSTOMER_ORDERS.find((candidate) => candidate === params.get('order'))
  const attribute = params.get('attribute') ?? ''
  if (!order || (order === 'attribute' && attribute === '')) return undefined
  const direction = params.get('direction') === 'desc' ? 'desc' : 'asc'
  return { order, direction, ...(order === 'attribute' && { attribute }) }
}

/** The same filters as query parameters; those not set are left out. */
export function toQuery({ q, tag_ids, include_anonymous, sort, page, cursor }: Filters): CustomerListQuery {
  return {
    ...(q && { q }),
    ...(tag_ids.length > 0 && { tag_ids: tag_ids.join(',') }),
    ...(!include_anonymous && { include_anonymous: 'false' }),
    ...sort,
    ...(page > 1 && { page: String(page) }),
    // Only other orders than the usual one have positions.
    ...(sort && page > 1 && cursor),
  }
}

/** What a saved filter contains: everything but the page, also the order. */
export function toSaved(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries(KEPT.flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? '']] : [])))
}

/** The list's filters, stored in the address, so that they can be bookmarked and the Back button restores them. */
export function useAddressFilters() {
  const [params, setParams] = useSearchParams()
  const address = params.toString()
  // The address is updated a little later, so the chosen filters are kept here as well.
  const [chosen, setChosen] = useState(params)
  const [seen, setSeen] = useState(address)
  const filters = readFilters(chosen)
  const [typed, setTyped] = useState(filters.q)
  const settled = useDebounced(typed, DEBOUNCE_MS)
  const isSettled = settled === typed.trim()

  // The address was changed by navigation.
  if (address !== seen) {
    setSeen(address)
    if (address !== chosen.toString()) {
      setChosen(params)
      setTyped(readFilters(params).q)
    }
  }
  function write(query: Record<string, string>) {
    setChosen(new URLSearchParams(query))
    setParams(query, { replace: true })
  }
  function change(changes: Partial<Filters>) {
    write(toQuery({ ...filters, page: 1, cursor: {}, ...changes }) as Record<string, string>)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing may change the address
  useEffect(() => {
    // The component stays mounted for a moment after navigation.
    if (isSettled && settled !== filters.q && location.pathname === PATH) change({ q: settled })
  }, [settled, isSettled])

  return {
    params: chosen,
    filters,
    typed,
    type: setTyped,
    change,
    /** Applies a whole filter, such as a saved one. */
    apply(query: Record<string, string>) {
      setTyped(query.q ?? '')
      write(query)
    },
  }
}
