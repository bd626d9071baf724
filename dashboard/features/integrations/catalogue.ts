import type { IntegrationName } from '#contract/integrations.ts'
import type { IconName } from '../../ui/icon-paths.ts'

/** Something that can be connected, as the list of integrations names it. */
export interface Entry {
  /** Names its texts, too. */
  key: 'chat' | Exclude<IntegrationName, 'slack:sync'> | 'slack_sync'
  integration: IntegrationName | 'chat'
  section: 'source' | 'reply' | 'account'
  isPopular: boolean
  icon: IconName
  /** Below an inbox, or the whole path of what concerns the account. */
  path: string
}

/** Everything that can be connected, in the order it is shown. */
export const CATALOGUE: readonly Entry[] = [
  { key: 'chat', integration: 'chat', section: 'source', isPopular: true, icon: 'chat', path: 'chat-widget' },
  {
    key: 'mailbox',
    integration: 'mailbox',
    section: 'source',
    isPopular: true,
    icon: 'mail',
    path: 'integrations/mailbox',
  },
  { key: 'ses', integration: 'ses', section: 'source', isPopular: false, icon: 'mail', path: 'email-forwarding' },
  {
    key: 'gmail',
    integration: 'gmail',
    section: 'source',
    isPopular: true,
    icon: 'mail',
    path: 'integrations/google/gmail',
  },
  {
    key: 'twilio',
    integration: 'twilio',
    section: 'source',
    isPopular: false,
    icon: 'phone',
    path: 'integrations/twilio',
  },
  {
    key: 'slack_sync',
    integration: 'slack:sync',
    section: 'source',
    isPopular: false,
    icon: 'chat',
    path: 'integrations/slack/support',
  },
  {
    key: 'slack',
    integration: 'slack',
    section: 'reply',
    isPopular: true,
    icon: 'reply',
    path: 'integrations/slack/reply',
  },
  {
    key: 'mattermost',
    integration: 'mattermost',
    section: 'reply',
    isPopular: false,
    icon: 'reply',
    path: 'integrations/mattermost',
  },
  {
    key: 'google_sheets',
    integration: 'google_sheets',
    section: 'account',
    isPopular: false,
    icon: 'file',
    path: '/integrations/google/sheets',
  },
  {
    key: 'github',
    integration: 'github',
    section: 'account',
    isPopular: false,
    icon: 'code',
    path: '/integrations/github',
  },
  {
    key: 'hubspot',
    integration: 'hubspot',
    section: 'account',
    isPopular: false,
    icon: 'people',
    path: '/integrations/hubspot',
  },
  {
    key: 'intercom',
    integration: 'intercom',
    section: 'account',
    isPopular: false,
    icon: 'people',
    path: '/integrations/intercom',
  },
]

/** Where it is set up: of an inbox, or of the whole account. */
export function pathOf({ section, path }: Entry, inbox_id: string | undefined): string {
  return section === 'account' ? path : inbox_id ? `/inboxes/${inbox_id}/${path}` : '/inboxes'
}
