/** What server and browsers have to know about an integration besides its own code. */
interface IntegrationKind {
  /** As the vendor spells it, the same in every language. Mail in general has no vendor. */
  vendor?: string
  /** In English, for mails and errors: the name of its page. */
  name: string
  /** Customers write over it (`source`), the team replies in it (`reply`), or it serves the whole account. */
  section: 'source' | 'reply' | 'account'
  /** Its page: below that of an inbox, or of the account. */
  path: string
  /** Whether the page of integrations shows it at the top. */
  isPopular?: true
  /** What messages over it are, if they are neither chat nor the vendor's own. */
  carries?: 'email' | 'sms' | 'telegram' | 'whatsapp'
  /** What is changed or deleted here changes there, too. */
  followsChanges?: true
  /** For how many hours after the customer's last message the vendor takes free text; later only approved templates. */
  replyHours?: number
  /** A mailbox of its own, from which replies are sent. */
  isMailbox?: true
  /** A letter and a color near the vendor's, instead of a logo, which belongs to the vendor. */
  tile?: readonly [letter: string, color: string]
}

/** All integrations in the order in which people see them. `ses` is mail to a forwarding address, as Papercups calls it. */
export const INTEGRATIONS = {
  mailbox: {
    name: 'Mailbox',
    section: 'source',
    path: 'integrations/mailbox',
    isPopular: true,
    carries: 'email',
    isMailbox: true,
  },
  ses: { name: 'Email forwarding', section: 'source', path: 'email-forwarding', carries: 'email' },
  gmail: {
    vendor: 'Gmail',
    name: 'Gmail',
    section: 'source',
    path: 'integrations/google/gmail',
    isPopular: true,
    carries: 'email',
    isMailbox: true,
    tile: ['G', '#c5221f'],
  },
  twilio: {
    vendor: 'Twilio',
    name: 'Twilio',
    section: 'source',
    path: 'integrations/twilio',
    carries: 'sms',
    tile: ['T', '#c01b38'],
  },
  telegram: {
    vendor: 'Telegram',
    name: 'Telegram',
    section: 'source',
    path: 'integrations/telegram',
    isPopular: true,
    carries: 'telegram',
    followsChanges: true,
    tile: ['T', '#1d6fa5'],
  },
  whatsapp: {
    vendor: 'WhatsApp',
    name: 'WhatsApp',
    section: 'source',
    path: 'integrations/whatsapp',
    carries: 'whatsapp',
    replyHours: 24,
    tile: ['W', '#0b7a5f'],
  },
  'slack:sync': {
    vendor: 'Slack',
    name: 'Slack sync',
    section: 'source',
    path: 'integrations/slack/support',
    tile: ['S', '#611f69'],
  },
  slack: {
    vendor: 'Slack',
    name: 'Slack',
    section: 'reply',
    path: 'integrations/slack/reply',
    isPopular: true,
    tile: ['S', '#611f69'],
  },
  mattermost: {
    vendor: 'Mattermost',
    name: 'Mattermost',
    section: 'reply',
    path: 'integrations/mattermost',
    tile: ['M', '#1c58d9'],
  },
  google_sheets: {
    vendor: 'Google Sheets',
    name: 'Google Sheets',
    section: 'account',
    path: '/integrations/google/sheets',
    tile: ['S', '#137333'],
  },
  github: {
    vendor: 'GitHub',
    name: 'GitHub',
    section: 'account',
    path: '/integrations/github',
    tile: ['G', '#24292f'],
  },
  hubspot: {
    vendor: 'HubSpot',
    name: 'HubSpot',
    section: 'account',
    path: '/integrations/hubspot',
    tile: ['H', '#b8471f'],
  },
  intercom: {
    vendor: 'Intercom',
    name: 'Intercom',
    section: 'account',
    path: '/integrations/intercom',
    tile: ['I', '#1a5fb4'],
  },
} as const satisfies Record<string, IntegrationKind>

export type IntegrationName = keyof typeof INTEGRATIONS

export const INTEGRATION_NAMES = Object.keys(INTEGRATIONS) as IntegrationName[]

/** Integrations that belong to an inbox: what conversations come over, or the team replies in. */
export type InboxIntegration = {
  [Name in IntegrationName]: (typeof INTEGRATIONS)[Name]['section'] extends 'account' ? never : Name
}[IntegrationName]

/** What is known about an integration, with the fields that it may lack. */
export function kindOf(name: IntegrationName): IntegrationKind {
  return INTEGRATIONS[name]
}

/** The integrations of which something holds, such as those that are mailboxes. */
export function integrationsWhere(holds: (kind: IntegrationKind) => unknown): IntegrationName[] {
  return INTEGRATION_NAMES.filter((name) => holds(kindOf(name)))
}

/** Mailboxes from which replies are sent. */
export const MAILBOXES = integrationsWhere(({ isMailbox }) => isMailbox)

/** The vendor's name of an integration, or of another system that calls us. Mail has none. */
export function vendorName(name: string): string | undefined {
  if (Object.hasOwn(INTEGRATIONS, name)) return kindOf(name as IntegrationName).vendor
  return { google: 'Google', stripe: 'Stripe' }[name]
}

/** The key of its texts, in which a colon would mean something else. */
export function textKeyOf<Name extends string>(name: Name) {
  return name.replace(':', '_') as Name extends 'slack:sync' ? 'slack_sync' : Name
}
