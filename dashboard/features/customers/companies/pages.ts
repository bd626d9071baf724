import { definePage } from '../../../platform/pages.ts'
import { companyTexts } from './texts.ts'

export const companyPages = [
  definePage({
    path: '/companies',
    title: { en: 'Companies', vi: 'Công ty' },
    nav: { group: 'customers' },
    texts: [companyTexts],
    load: async () => (await import('./CompaniesPage.tsx')).CompaniesPage,
  }),
  definePage({
    path: '/companies/new',
    texts: [companyTexts],
    load: async () => (await import('./CompanyFormPage.tsx')).NewCompanyPage,
  }),
  definePage({
    path: '/companies/:id/edit',
    texts: [companyTexts],
    load: async () => (await import('./CompanyFormPage.tsx')).EditCompanyPage,
  }),
]
