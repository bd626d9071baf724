import { useQueryClient } from '@tanstack/react-query'
import type { Customer } from '#contract/customers/customers.ts'
import { SubjectAttributes } from '../attributes/SubjectAttributes.tsx'
import { setCustomerAttribute } from './queries.ts'

/** The attributes of a customer, each edited in its place. */
export function CustomerAttributes({ customer: { id, metadata } }: { customer: Pick<Customer, 'id' | 'metadata'> }) {
  const client = useQueryClient()
  return (
    <SubjectAttributes
      key={id}
      subject="customer"
      metadata={metadata}
      save={(key, value) => setCustomerAttribute(client, id, key, value)}
    />
  )
}
