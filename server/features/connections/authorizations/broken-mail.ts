import { type IntegrationName, vendorName } from '#contract/connections/kinds.ts'
import type { MailContent } from '../../mail/mails/mail-templates.ts'
import { translate } from '../../mail/mails/translate.ts'

/** Tells admins that a connection needs their attention. */
export function brokenMail(
  language: MailContent['language'],
  { integration, label, problem, href }: { integration: IntegrationName; label: string; problem: string; href: string },
): MailContent {
  const name = `${vendorName(integration) ?? translate(language, integration === 'ses' ? 'integration_forwarding' : 'integration_mailbox')} (${label})`
  return {
    language,
    subject: translate(language, 'integration_broken_subject', { name }),
    preview: problem,
    parts: [
      { type: 'text', text: translate(language, 'integration_broken_text', { name }) },
      { type: 'text', text: problem },
      { type: 'button', label: translate(language, 'integration_broken_button'), href },
    ],
  }
}
