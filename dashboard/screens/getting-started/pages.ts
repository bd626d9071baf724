import { accountTexts } from '../../features/accounts/accounts/texts.ts'
import { teamTexts } from '../../features/accounts/team/texts.ts'
import { widgetSettingsTexts } from '../../features/widget/widget-settings/texts.ts'
import { definePage } from '../../platform/pages.ts'
import { gettingStartedTexts } from './texts.ts'

export const gettingStartedPages = [
  definePage({
    path: '/getting-started',
    title: { en: 'Getting started', vi: 'Bắt đầu' },
    nav: { icon: 'compass', role: 'admin' },
    texts: [accountTexts, gettingStartedTexts, teamTexts, widgetSettingsTexts],
    load: async () => (await import('./GettingStartedPage.tsx')).GettingStartedPage,
  }),
]
