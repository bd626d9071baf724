import type { CustomerListQuery } from './customer-list.ts'

export const customerKeys = {
  all: ['customers'],
  lists: ['customers', 'list'],
  list: (query: CustomerListQuery) => [...customerKeys.lists, query],
  details: ['customers', 'one'],
  detail: (id: string) => [...customerKeys.details, id],
  filters: ['customer-filters'],
  imports: ['customer-imports'],
  import: (id: string) => [...customerKeys.imports, id],
} as const
