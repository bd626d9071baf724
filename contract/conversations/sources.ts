/**
 * Where conversations start, in the order in which people see them. Another one is an entry here and its name in
 * `sources` of `locales/en/dashboard/common.json`, and a migration that allows it in `conversations` and `messages`.
 */
export const CONVERSATION_SOURCES = ['chat', 'email', 'sms', 'telegram', 'whatsapp', 'slack', 'api', 'sandbox'] as const

/** The team's answers come over other ways, too. */
export const MESSAGE_SOURCES = [...CONVERSATION_SOURCES, 'mattermost'] as const

/** The names of all of them in English, for what is written to vendors. */
export const SOURCE_NAMES = {
  chat: 'Chat',
  email: 'Email',
  sms: 'SMS',
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
  slack: 'Slack',
  api: 'API',
  sandbox: 'Sandbox',
  mattermost: 'Mattermost',
} as const satisfies Record<(typeof MESSAGE_SOURCES)[number], string>
