import { definePage } from '../../platform/pages.ts'

export const oneCustomerPages = [
  definePage({
    path: ['/customers/:id', '/v1/customers/:id'],

    load: async () => (await import('./CustomerPage.tsx')).CustomerPage,
  }),
]
