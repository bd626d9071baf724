import { definePage } from '../../../platform/pages.ts'
import { inboxTexts } from '../../widget/inboxes/texts.ts'
import { widgetSettingsTexts } from '../../widget/widget-settings/texts.ts'
import { workingHoursTexts } from '../../widget/working-hours/texts.ts'
import { accountTexts } from '../accounts/texts.ts'
import { teamTexts } from '../team/texts.ts'
import { auditTexts } from './texts.ts'

export const auditPages = [
  definePage({
    path: '/settings/audit',
    texts: [auditTexts, accountTexts, workingHoursTexts, teamTexts, inboxTexts, widgetSettingsTexts],
    load: async () => (await import('./AuditPage.tsx')).AuditPage,
  }),
]
