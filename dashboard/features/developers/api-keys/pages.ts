import { definePage } from '../../../platform/pages.ts'
import { accountTexts } from '../../accounts/accounts/texts.ts'
import { apiKeyTexts } from './texts.ts'

export const apiKeyPages = [
  definePage({
    path: '/developers/personal-api-keys',
    title: { en: 'Personal API keys', vi: 'Khóa API cá nhân' },
    nav: { group: 'developers', role: 'admin', title: { en: 'API keys', vi: 'Khóa API' } },
    texts: [apiKeyTexts, accountTexts],
    load: async () => (await import('./ApiKeysPage.tsx')).ApiKeysPage,
  }),
]
