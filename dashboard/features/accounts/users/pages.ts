import { definePage } from '../../../platform/pages.ts'
import { oauthTexts } from '../../connections/oauth/texts.ts'
import { accountTexts } from '../accounts/texts.ts'
import { authSessionTexts } from '../auth-sessions/texts.ts'
import { userTexts } from './texts.ts'

export const userPages = [
  definePage({
    path: '/settings/profile',
    title: { en: 'My profile', vi: 'Hồ sơ của tôi' },
    nav: { group: 'settings' },
    texts: [userTexts, accountTexts, authSessionTexts, oauthTexts],
    load: async () => (await import('./ProfilePage.tsx')).ProfilePage,
  }),
]
