import type { IntegrationName } from '#contract/integrations.ts'
import type { MailContent } from '../mails/mail-templates.ts'
import { say } from '../mails/words.ts'

/** Tells admins that a connection needs them. */
export function brokenMail(
  language: MailContent['language'],
  { integration, label, problem, href }: { integration: IntegrationName; label: string; problem: string; href: string },
): MailContent {
  const name = `${NAMES[integration]} (${label})`
  return {
    language,
    subject: say(language, 'integration_broken_subject', { name }),
    preview: problem,
    parts: [
      { type: 'text', text: say(language, 'integration_broken_text', { name }) },
      { type: 'text', text: problem },
      { type: 'button', label: say(language, 'integration_broken_button'), href },
    ],
  }
}

/** As the vendors write them. */
const NAMES: Record<IntegrationName, string> = {
  ses: 'Email forwarding',
  mailbox: 'Mailbox',
  gmail: 'Gmail',
  slack: 'Slack',
  'slack:sync': 'Slack',
  mattermost: 'Mattermost',
  twilio: 'Twilio',
  google_sheets: 'Google Sheets',
  github: 'GitHub',
  hubspot: 'HubSpot',
  intercom: 'Intercom',
}
