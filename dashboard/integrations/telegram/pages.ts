import { definePage } from '../../platform/pages.ts'

export const telegramPages = [
  definePage({
    path: ['/integrations/telegram', '/inboxes/:inbox_id/integrations/telegram'],
    title: 'telegram',
    texts: ['authorizations', 'integrations', 'telegram'],
    load: async () => (await import('./TelegramPage.tsx')).TelegramPage,
  }),
]
