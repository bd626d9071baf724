import type { IntegrationName } from '#contract/integrations.ts'

/** Where conversations of an inbox come from, in the order they are shown, and the address where each is set up. */
export const SOURCE_CHANNELS = [
  { name: 'chat', path: 'chat-widget' },
  { name: 'mailbox', path: 'integrations/mailbox' },
  { name: 'email', path: 'email-forwarding' },
  { name: 'gmail', path: 'integrations/google/gmail' },
  { name: 'twilio', path: 'integrations/twilio' },
  { name: 'slack_sync', path: 'integrations/slack/support' },
] as const

/** Where the team can answer without opening the dashboard. */
export const REPLY_CHANNELS = [
  { name: 'slack', path: 'integrations/slack/reply' },
  { name: 'mattermost', path: 'integrations/mattermost' },
] as const

export type Channel = (typeof SOURCE_CHANNELS)[number] | (typeof REPLY_CHANNELS)[number]

/** By which name the server knows a channel. The chat and forwarding addresses are no connections. */
export const INTEGRATIONS: Partial<Record<Channel['name'], IntegrationName>> = {
  mailbox: 'mailbox',
  gmail: 'gmail',
  twilio: 'twilio',
  slack_sync: 'slack:sync',
  slack: 'slack',
  mattermost: 'mattermost',
}
