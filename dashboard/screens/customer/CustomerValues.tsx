import { useQuery } from '@tanstack/react-query'
import type { Customer } from '#contract/customers/customers.ts'
import { attributesQuery } from '../../features/customers/attributes/queries.ts'
import { MetadataTable } from './MetadataTable.tsx'

/** The metadata of a customer that is no attribute, as the website sent it. */
export function CustomerValues({ metadata }: Pick<Customer, 'metadata'>) {
  const { data = [] } = useQuery(attributesQuery)
  const isNamed = (key: string) => data.some((attribute) => attribute.subject === 'customer' && attribute.key === key)
  return <MetadataTable metadata={Object.fromEntries(Object.entries(metadata).filter(([key]) => !isNamed(key)))} />
}
