import { definePage } from '../../../platform/pages.ts'

export const customerPages = [
  definePage({
    path: '/customers',
    title: 'people',
    nav: { group: 'customers' },
    load: async () => (await import('./list/CustomersPage.tsx')).CustomersPage,
  }),
]
