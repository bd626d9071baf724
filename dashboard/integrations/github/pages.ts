import { authorizationTexts } from '../../features/connections/authorizations/texts.ts'
import { integrationTexts } from '../../features/connections/integrations/texts.ts'
import { oauthTexts } from '../../features/connections/oauth/texts.ts'
import { definePage } from '../../platform/pages.ts'
import { githubTexts } from './texts.ts'

export const githubPages = [
  definePage({
    path: '/integrations/github',
    title: { en: 'GitHub', vi: 'GitHub' },
    texts: [authorizationTexts, githubTexts, integrationTexts, oauthTexts],
    load: async () => (await import('./GithubPage.tsx')).GithubPage,
  }),
]
