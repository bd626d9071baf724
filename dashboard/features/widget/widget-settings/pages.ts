import { definePage } from '../../../platform/pages.ts'
import { inboxTexts } from '../inboxes/texts.ts'
import { workingHoursTexts } from '../working-hours/texts.ts'
import { widgetSettingsTexts } from './texts.ts'

export const widgetSettingsPages = [
  definePage({
    path: '/widget/:inbox_id',
    alone: true,
    texts: [widgetSettingsTexts, inboxTexts, workingHoursTexts],
    load: async () => (await import('./WidgetPage.tsx')).WidgetPage,
  }),
  definePage({
    path: '/inboxes/:inbox_id/chat-widget',
    texts: [inboxTexts, widgetSettingsTexts, workingHoursTexts],
    load: async () => (await import('./ChatWidgetPage.tsx')).ChatWidgetPage,
  }),
  definePage({
    path: '/settings/chat-widget',
    texts: [inboxTexts, widgetSettingsTexts, workingHoursTexts],
    load: async () => (await import('./ChatWidgetPage.tsx')).PrimaryChatWidgetPage,
  }),
]
