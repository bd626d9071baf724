import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CUSTOMER_COUNT_LIMIT, type CustomerProfile } from '#contract/customer-profiles.ts'
import { errorText } from '../../errors.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadFailed } from '../../ui/LoadFailed.tsx'
import { Once } from '../../ui/Once.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { TableSkeleton } from '../../ui/Table.tsx'
import { CustomerTable } from './CustomerTable.tsx'
import { CustomerView } from './CustomerView.tsx'
import { peopleQuery } from './people.ts'
import { useTurnBack } from './useTurnBack.ts'

interface OfProps {
  filter: { company_id: string } | { tag_id: string } | { issue_id: string }
  /** What can be done where nobody is. */
  action?: ReactNode
}

/** The customers who belong to something, in pages. One is looked at in a window. */
export function CustomersOf({ filter, action }: OfProps) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const [looking, setLooking] = useState<{ customer: CustomerProfile; open: boolean }>()
  const found = useQuery(peopleQuery({ ...filter, ...(page > 1 && { page: String(page) }) }))
  const isBeyond = useTurnBack(found.data, setPage)
  if (found.isPending || isBeyond) return <TableSkeleton label={t('loading')} />
  if (!found.data) {
    return (
      <LoadFailed
        title={t('customers.failed')}
        text={errorText(found.error)}
        retryLabel={t('retry')}
        retry={found.refetch}
      />
    )
  }
  const { data, total_pages, total_entries, page_number } = found.data
  if (data.length === 0) return <EmptyState drawing="talk" title={t('customers.nobody')} action={action} />
  return (
    <>
      <CustomerTable customers={data} look={(customer) => setLooking({ customer, open: true })} />
      <Pager
        page={page_number}
        pages={total_pages}
        turn={setPage}
        words={{
          label: t('pages.label'),
          previous: t('pages.previous'),
          next: t('pages.next'),
          place: t(total_entries < CUSTOMER_COUNT_LIMIT ? 'customers.count' : 'customers.count_many', {
            count: total_entries,
            page: page_number,
            pages: total_pages,
          }),
        }}
      />
      <Once wanted={!!looking}>
        {looking && (
          <CustomerView
            key={looking.customer.id}
            customer={looking.customer}
            open={looking.open}
            close={() => setLooking({ ...looking, open: false })}
          />
        )}
      </Once>
    </>
  )
}
