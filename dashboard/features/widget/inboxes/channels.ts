import type { IntegrationName } from '#contract/connections/integrations.ts'

/** The channels by which conversations reach an inbox, in display order, with the path of their settings. */
export const SOURCE_CHANNELS = [
  { name: 'chat', path: 'chat-widget' },
  { name: 'mailbox', path: 'integrations/mailbox' },
  { name: 'email', path: 'email-forwarding' },
  { name: 'gmail', path: 'integrations/google/gmail' },
  { name: 'twilio', path: 'integrations/twilio' },
  { name: 'slack_sync', path: 'integrations/slack/support' },
] as const

/** Channels in which the team can reply without the dashboard. */
export const REPLY_CHANNELS = [
  { name: 'slack', path: 'integrations/slack/reply' },
  { name: 'mattermost', path: 'integrations/mattermost' },
] as const

export type Channel = (typeof SOURCE_CHANNELS)[number] | (typeof REPLY_CHANNELS)[number]

/** The server's names. Chat and forwarding addresses are not integrations. */
export const INTEGRATIONS: Partial<Record<Channel['name'], IntegrationName>> = {
  mailbox: 'mailbox',
  gmail: 'gmail',
  twilio: 'twilio',
  slack_sync: 'slack:sync',
  slack: 'slack',
  mattermost: 'mattermost',
}
