import { REFERENCE_LANGUAGE } from '#contract/languages.ts'
import type { MailContent } from '../../mail/mails/mail-templates.ts'

interface OperatorMessage {
  text: string
  subject?: string | null | undefined
  email: string
  account_id: string
}

/** To the operator, written by an admin. The operator's language is unknown, so the frame is in English. */
export function operatorMail({ text, subject, email, account_id }: OperatorMessage): MailContent {
  return {
    language: REFERENCE_LANGUAGE,
    // A line break would start another header.
    subject: subject?.replace(/\s+/g, ' ').trim() || `New message from Parley account ${account_id}`,
    preview: text.slice(0, 120),
    parts: [
      { type: 'text', text },
      { type: 'small', text: `Written by ${email}, an admin of the account ${account_id}` },
    ],
  }
}
