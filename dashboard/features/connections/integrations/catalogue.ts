import type { IntegrationName } from '#contract/connections/integrations.ts'

/** An integration in the list of integrations. */
export interface Entry {
  /** Also the key of its texts. */
  key: 'chat' | Exclude<IntegrationName, 'slack:sync'> | 'slack_sync'
  integration: IntegrationName | 'chat'
  section: 'source' | 'reply' | 'account'
  isPopular: boolean
  /** A path below the inbox, or a full path for the account's integrations. */
  path: string
}

/** All integrations, in display order. */
export const CATALOGUE: readonly Entry[] = [
  { key: 'chat', integration: 'chat', section: 'source', isPopular: true, path: 'chat-widget' },
  {
    key: 'mailbox',
    integration: 'mailbox',
    section: 'source',
    isPopular: true,
    path: 'integrations/mailbox',
  },
  { key: 'ses', integration: 'ses', section: 'source', isPopular: false, path: 'email-forwarding' },
  {
    key: 'gmail',
    integration: 'gmail',
    section: 'source',
    isPopular: true,
    path: 'integrations/google/gmail',
  },
  {
    key: 'twilio',
    integration: 'twilio',
    section: 'source',
    isPopular: false,
    path: 'integrations/twilio',
  },
  {
    key: 'slack_sync',
    integration: 'slack:sync',
    section: 'source',
    isPopular: false,
    path: 'integrations/slack/support',
  },
  {
    key: 'slack',
    integration: 'slack',
    section: 'reply',
    isPopular: true,
    path: 'integrations/slack/reply',
  },
  {
    key: 'mattermost',
    integration: 'mattermost',
    section: 'reply',
    isPopular: false,
    path: 'integrations/mattermost',
  },
  {
    key: 'google_sheets',
    integration: 'google_sheets',
    section: 'account',
    isPopular: false,
    path: '/integrations/google/sheets',
  },
  {
    key: 'github',
    integration: 'github',
    section: 'account',
    isPopular: false,
    path: '/integrations/github',
  },
  {
    key: 'hubspot',
    integration: 'hubspot',
    section: 'account',
    isPopular: false,
    path: '/integrations/hubspot',
  },
  {
    key: 'intercom',
    integration: 'intercom',
    section: 'account',
    isPopular: false,
    path: '/integrations/intercom',
  },
]

/** The path of its settings, of an inbox or of the account. */
export function pathOf({ section, path }: Entry, inbox_id: string | undefined): string {
  return section === 'account' ? path : inbox_id ? `/inboxes/${inbox_id}/${path}` : '/inboxes'
}
