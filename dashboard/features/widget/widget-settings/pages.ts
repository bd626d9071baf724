import { definePage } from '../../../platform/pages.ts'

export const widgetSettingsPages = [
  definePage({
    path: '/widget/:inbox_id',
    alone: true,
    texts: ['widget-settings', 'inboxes', 'working-hours', 'test-conversations'],
    load: async () => (await import('./WidgetPage.tsx')).WidgetPage,
  }),
  definePage({
    path: '/inboxes/:inbox_id/chat-widget',
    texts: ['inboxes', 'widget-settings', 'working-hours', 'test-conversations'],
    load: async () => (await import('./ChatWidgetPage.tsx')).ChatWidgetPage,
  }),
  definePage({
    path: '/settings/chat-widget',
    texts: ['inboxes', 'widget-settings', 'working-hours', 'test-conversations'],
    load: async () => (await import('./ChatWidgetPage.tsx')).PrimaryChatWidgetPage,
  }),
]
