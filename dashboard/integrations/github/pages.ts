import { definePage } from '../../platform/pages.ts'

export const githubPages = [
  definePage({
    path: '/integrations/github',
    title: 'github',
    texts: ['authorizations', 'github', 'integrations', 'oauth'],
    load: async () => (await import('./GithubPage.tsx')).GithubPage,
  }),
]
