import { definePage } from '../../platform/pages.ts'

export const oneCompanyPages = [
  definePage({
    path: '/companies/:id',
    texts: ['companies'],
    load: async () => (await import('./CompanyPage.tsx')).CompanyPage,
  }),
]
