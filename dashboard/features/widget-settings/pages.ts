import { definePage } from '../../platform/pages.ts'

export const widgetSettingsPages = [
  definePage({
    path: '/widget/:inbox_id',
    alone: true,
    load: async () => (await import('./WidgetPage.tsx')).WidgetPage,
  }),
  definePage({
    path: '/inboxes/:inbox_id/chat-widget',
    load: async () => (await import('./ChatWidgetPage.tsx')).ChatWidgetPage,
  }),
  definePage({
    path: '/settings/chat-widget',
    load: async () => (await import('./ChatWidgetPage.tsx')).PrimaryChatWidgetPage,
  }),
]
