import { accountTexts } from '../../features/accounts/accounts/texts.ts'
import { auditTexts } from '../../features/accounts/audit/texts.ts'
import { mailTexts } from '../../features/mail/mails/texts.ts'
import { workingHoursTexts } from '../../features/widget/working-hours/texts.ts'
import { definePage } from '../../platform/pages.ts'

export const accountPages = [
  definePage({
    path: '/settings/*',
    title: { en: 'Account', vi: 'Tài khoản' },
    nav: { group: 'settings', role: 'admin', path: '/settings/account' },
    texts: [accountTexts, auditTexts, workingHoursTexts, mailTexts],
    load: async () => (await import('./AccountPage.tsx')).AccountPage,
  }),
]
