import { companyTexts } from '../../features/customers/companies/texts.ts'
import { definePage } from '../../platform/pages.ts'

export const oneCompanyPages = [
  definePage({
    path: '/companies/:id',
    texts: [companyTexts],
    load: async () => (await import('./CompanyPage.tsx')).CompanyPage,
  }),
]
