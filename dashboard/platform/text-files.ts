/** The English texts of the dashboard by file; with them the compiler checks every key. */
interface TextFiles {
  accounts: typeof import('../../locales/en/dashboard/accounts.json')
  actions: typeof import('../../locales/en/dashboard/actions.json')
  'api-keys': typeof import('../../locales/en/dashboard/api-keys.json')
  assignments: typeof import('../../locales/en/dashboard/assignments.json')
  assistants: typeof import('../../locales/en/dashboard/assistants.json')
  'attribute-definitions': typeof import('../../locales/en/dashboard/attribute-definitions.json')
  attributes: typeof import('../../locales/en/dashboard/attributes.json')
  audit: typeof import('../../locales/en/dashboard/audit.json')
  'auth-sessions': typeof import('../../locales/en/dashboard/auth-sessions.json')
  authorizations: typeof import('../../locales/en/dashboard/authorizations.json')
  billing: typeof import('../../locales/en/dashboard/billing.json')
  'bot-demo': typeof import('../../locales/en/dashboard/bot-demo.json')
  'channel-templates': typeof import('../../locales/en/dashboard/channel-templates.json')
  common: typeof import('../../locales/en/dashboard/common.json')
  companies: typeof import('../../locales/en/dashboard/companies.json')
  'contact-directories': typeof import('../../locales/en/dashboard/contact-directories.json')
  conversations: typeof import('../../locales/en/dashboard/conversations.json')
  'customer-notes': typeof import('../../locales/en/dashboard/customer-notes.json')
  customers: typeof import('../../locales/en/dashboard/customers.json')
  'deadline-policies': typeof import('../../locales/en/dashboard/deadline-policies.json')
  deadlines: typeof import('../../locales/en/dashboard/deadlines.json')
  'deleted-conversations': typeof import('../../locales/en/dashboard/deleted-conversations.json')
  demo: typeof import('../../locales/en/dashboard/demo.json')
  'directory-links': typeof import('../../locales/en/dashboard/directory-links.json')
  'email-templates': typeof import('../../locales/en/dashboard/email-templates.json')
  emoji: typeof import('../../locales/en/dashboard/emoji.json')
  'forwarding-addresses': typeof import('../../locales/en/dashboard/forwarding-addresses.json')
  functions: typeof import('../../locales/en/dashboard/functions.json')
  'getting-started': typeof import('../../locales/en/dashboard/getting-started.json')
  github: typeof import('../../locales/en/dashboard/github.json')
  google: typeof import('../../locales/en/dashboard/google.json')
  'first-answers': typeof import('../../locales/en/dashboard/first-answers.json')
  help: typeof import('../../locales/en/dashboard/help.json')
  health: typeof import('../../locales/en/dashboard/health.json')
  inboxes: typeof import('../../locales/en/dashboard/inboxes.json')
  install: typeof import('../../locales/en/dashboard/install.json')
  integrations: typeof import('../../locales/en/dashboard/integrations.json')
  issues: typeof import('../../locales/en/dashboard/issues.json')
  'language-model': typeof import('../../locales/en/dashboard/language-model.json')
  'live-sessions': typeof import('../../locales/en/dashboard/live-sessions.json')
  mails: typeof import('../../locales/en/dashboard/mails.json')
  merging: typeof import('../../locales/en/dashboard/merging.json')
  messages: typeof import('../../locales/en/dashboard/messages.json')
  'moving-in': typeof import('../../locales/en/dashboard/moving-in.json')
  notifications: typeof import('../../locales/en/dashboard/notifications.json')
  oauth: typeof import('../../locales/en/dashboard/oauth.json')
  'plan-notices': typeof import('../../locales/en/dashboard/plan-notices.json')
  push: typeof import('../../locales/en/dashboard/push.json')
  'rating-requests': typeof import('../../locales/en/dashboard/rating-requests.json')
  ratings: typeof import('../../locales/en/dashboard/ratings.json')
  reporting: typeof import('../../locales/en/dashboard/reporting.json')
  rules: typeof import('../../locales/en/dashboard/rules.json')
  'saved-replies': typeof import('../../locales/en/dashboard/saved-replies.json')
  'saved-views': typeof import('../../locales/en/dashboard/saved-views.json')
  'scheduled-messages': typeof import('../../locales/en/dashboard/scheduled-messages.json')
  search: typeof import('../../locales/en/dashboard/search.json')
  sharing: typeof import('../../locales/en/dashboard/sharing.json')
  slack: typeof import('../../locales/en/dashboard/slack.json')
  tags: typeof import('../../locales/en/dashboard/tags.json')
  team: typeof import('../../locales/en/dashboard/team.json')
  teams: typeof import('../../locales/en/dashboard/teams.json')
  'test-conversations': typeof import('../../locales/en/dashboard/test-conversations.json')
  telegram: typeof import('../../locales/en/dashboard/telegram.json')
  translations: typeof import('../../locales/en/dashboard/translations.json')
  twilio: typeof import('../../locales/en/dashboard/twilio.json')
  whatsapp: typeof import('../../locales/en/dashboard/whatsapp.json')
  users: typeof import('../../locales/en/dashboard/users.json')
  webhooks: typeof import('../../locales/en/dashboard/webhooks.json')
  'widget-settings': typeof import('../../locales/en/dashboard/widget-settings.json')
  'working-hours': typeof import('../../locales/en/dashboard/working-hours.json')
  'writing-help': typeof import('../../locales/en/dashboard/writing-help.json')
}

/** A file of texts, such as `saved-replies`. */
export type TextName = keyof TextFiles

type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'texts'
    resources: { texts: Merged<TextFiles[TextName]> }
  }
}
