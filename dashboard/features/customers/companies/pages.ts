import { definePage } from '../../../platform/pages.ts'

export const companyPages = [
  definePage({
    path: '/companies',
    title: 'companies',
    nav: { group: 'customers' },
    texts: ['companies'],
    load: async () => (await import('./CompaniesPage.tsx')).CompaniesPage,
  }),
  definePage({
    path: '/companies/new',
    texts: ['companies'],
    load: async () => (await import('./CompanyFormPage.tsx')).NewCompanyPage,
  }),
  definePage({
    path: '/companies/:id/edit',
    texts: ['companies'],
    load: async () => (await import('./CompanyFormPage.tsx')).EditCompanyPage,
  }),
]
