import { definePage } from '../../platform/pages.ts'

export const companyPages = [
  definePage({
    path: '/companies',
    title: { en: 'Companies', vi: 'Công ty' },
    nav: { group: 'customers' },
    load: async () => (await import('./CompaniesPage.tsx')).CompaniesPage,
  }),
  definePage({ path: '/companies/new', load: async () => (await import('./CompanyFormPage.tsx')).NewCompanyPage }),
  definePage({
    path: '/companies/:id/edit',
    load: async () => (await import('./CompanyFormPage.tsx')).EditCompanyPage,
  }),
]
