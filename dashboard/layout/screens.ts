/**
 * Screens of the plan that are not built yet, by path below the signed-in frame. A screen leaves this list when it is
 * built.
 */
export const SCREENS_TO_COME = [
  ['/settings/email-forwarding', 'email_forwarding'],
  ['/integrations/slack/reply', 'slack_reply'],
  ['/integrations/slack/support', 'slack_support'],
  ['/integrations/slack', 'slack'],
  ['/integrations/google/gmail', 'gmail'],
  ['/integrations/google/sheets', 'google_sheets'],
  ['/integrations/google', 'google'],
  ['/integrations/mattermost', 'mattermost'],
  ['/integrations/twilio', 'twilio'],
  ['/integrations/github', 'github'],
  ['/integrations/hubspot', 'hubspot'],
  ['/integrations/intercom', 'intercom'],
  ['/integrations/:type', 'integrations'],
  ['/integrations', 'integrations'],
  ['/developers/personal-api-keys', 'api_keys'],
  ['/developers/event-subscriptions', 'event_subscriptions'],
  ['/developers/_templates', 'email_templates'],
  ['/functions/:id', 'function'],
  ['/functions', 'functions'],
  ['/reporting', 'reporting'],
  ['/sessions/live/:session', 'live_session'],
  ['/sessions/setup', 'storytime'],
  ['/sessions/*', 'live_sessions'],
  ['/inboxes/:inbox_id/integrations/slack/reply', 'slack_reply'],
  ['/inboxes/:inbox_id/integrations/slack/support', 'slack_support'],
  ['/inboxes/:inbox_id/integrations/slack', 'slack'],
  ['/inboxes/:inbox_id/integrations/google/gmail', 'gmail'],
  ['/inboxes/:inbox_id/integrations/google', 'google'],
  ['/inboxes/:inbox_id/integrations/mattermost', 'mattermost'],
  ['/inboxes/:inbox_id/integrations/twilio', 'twilio'],
  ['/inboxes/:inbox_id/email-forwarding', 'email_forwarding'],
] as const

export type ScreenName = (typeof SCREENS_TO_COME)[number][1] | 'billing'
