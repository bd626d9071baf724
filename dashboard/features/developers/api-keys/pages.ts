import { definePage } from '../../../platform/pages.ts'

export const apiKeyPages = [
  definePage({
    path: '/developers/personal-api-keys',
    title: 'api_keys',
    nav: { group: 'developers', role: 'admin', title: 'api_keys_short' },
    texts: ['api-keys', 'accounts'],
    load: async () => (await import('./ApiKeysPage.tsx')).ApiKeysPage,
  }),
]
