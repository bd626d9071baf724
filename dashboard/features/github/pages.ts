import { definePage } from '../../platform/pages.ts'
import { authorizationTexts } from '../authorizations/texts.ts'
import { integrationTexts } from '../integrations/texts.ts'
import { oauthTexts } from '../oauth/texts.ts'
import { githubTexts } from './texts.ts'

export const githubPages = [
  definePage({
    path: '/integrations/github',
    title: { en: 'GitHub', vi: 'GitHub' },
    texts: [authorizationTexts, githubTexts, integrationTexts, oauthTexts],
    load: async () => (await import('./GithubPage.tsx')).GithubPage,
  }),
]
