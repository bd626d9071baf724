import { definePage } from '../../../platform/pages.ts'
import { accountTexts } from '../accounts/texts.ts'
import { teamTexts } from './texts.ts'

export const teamPages = [
  definePage({
    path: '/settings/team',
    title: { en: 'My team', vi: 'Nhóm của tôi' },
    nav: { group: 'settings', role: 'admin' },
    texts: [teamTexts, accountTexts],
    load: async () => (await import('./TeamPage.tsx')).TeamPage,
  }),
]
