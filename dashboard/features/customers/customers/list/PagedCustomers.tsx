import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import { CUSTOMER_COUNT_LIMIT, type CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { QueryView } from '../../../../platform/QueryView.tsx'
import { Pager } from '../../../../ui/Pager.tsx'
import { TableSkeleton } from '../../../../ui/Table.tsx'
import { type CustomerListQuery, customerListQuery } from '../customer-list.ts'
import type { Cursor } from './address-filters.ts'
import { CustomerTable } from './CustomerTable.tsx'

interface PagedProps {
  query: CustomerListQuery
  /** Shows another page; in an order other than the usual one, `cursor` is where it begins or ends. */
  turn: (page: number, cursor: Cursor) => void
  nobody: ReactNode
  /** Attributes that have a column. */
  attributes?: readonly AttributeDefinition[]
  /** Opens a customer in a dialog; without it, rows link to the customer's page. */
  preview?: ((customer: CustomerProfile) => void) | undefined
}

/** One page of the customers that match a query, with a pager. */
export function PagedCustomers({ query, turn, nobody, attributes, preview }: PagedProps) {
  const { t } = useTranslation()
  const results = useQuery(customerListQuery(query))
  const isBeyond = useLastPage(results.data, turn)
  if (!results.data) return <QueryView query={results} failed={t('customers.failed')} />
  if (isBeyond) return <TableSkeleton label={t('loading')} />
  const { data, total_pages, total_entries, page_number, next, previous } = results.data
  if (data.length === 0) return nobody
  const cursorTo = (page: number): Cursor => {
    if (page > page_number) return next ? { after: next } : {}
    return previous ? { before: previous } : {}
  }
  return (
    <>
      <CustomerTable customers={data} attributes={attributes} preview={preview} />
      <Pager
        page={page_number}
        pages={total_pages}
        turn={(page) => turn(page, cursorTo(page))}
        labels={{
          label: t('pages.label'),
          previous: t('pages.previous'),
          next: t('pages.next'),
          position: t(total_entries < CUSTOMER_COUNT_LIMIT ? 'customers.count' : 'customers.count_many', {
            count: total_entries,
            page: page_number,
            pages: total_pages,
          }),
        }}
      />
    </>
  )
}

interface Shown {
  page_number: number
  total_pages: number
  next?: string | null | undefined
}

/** Goes to the last page when the current one no longer exists, because its customers were removed. */
function useLastPage(shown: Shown | undefined, turn: PagedProps['turn']): boolean {
  const last = shown && shown.page_number > shown.total_pages ? shown.total_pages : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that no longer exists
  useEffect(() => {
    // In another order the position of the last page is not known.
    if (shown && last) turn(shown.next === undefined ? last : 1, {})
  }, [last])
  return last !== undefined
}
