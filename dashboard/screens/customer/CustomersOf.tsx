import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { PagedCustomers } from '../../features/customers/customers/list/PagedCustomers.tsx'
import { EmptyLine } from '../../ui/EmptyLine.tsx'
import { LazyMount } from '../../ui/LazyMount.tsx'
import { CustomerView } from './CustomerView.tsx'

interface OfProps {
  filter: { company_id: string } | { tag_id: string } | { issue_id: string }
  /** The action of the empty state. */
  action?: ReactNode
}

/** The customers of a company or with a tag, in pages. Each opens in a dialog. */
export function CustomersOf({ filter, action }: OfProps) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<{ customer: CustomerProfile; open: boolean }>()
  return (
    <>
      <PagedCustomers
        query={{ ...filter, ...(page > 1 && { page: String(page) }) }}
        turn={setPage}
        nobody={<EmptyLine action={action}>{t('customers.nobody')}</EmptyLine>}
        preview={(customer) => setShown({ customer, open: true })}
      />
      <LazyMount when={!!shown}>
        {shown && (
          <CustomerView
            key={shown.customer.id}
            customer={shown.customer}
            open={shown.open}
            close={() => setShown({ ...shown, open: false })}
          />
        )}
      </LazyMount>
    </>
  )
}
