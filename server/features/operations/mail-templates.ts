import type { MailContent } from '../mails/mail-templates.ts'

interface Said {
  text: string
  subject?: string | null | undefined
  email: string
  account_id: string
}

/** To whoever runs the installation, in the words of an admin. Their own language is not known, so ours is English. */
export function operatorMail({ text, subject, email, account_id }: Said): MailContent {
  return {
    language: 'en',
    // A line break in a heading would begin the next heading.
    subject: subject?.replace(/\s+/g, ' ').trim() || `New message from Parley account ${account_id}`,
    preview: text.slice(0, 120),
    parts: [
      { type: 'text', text },
      { type: 'small', text: `Written by ${email}, an admin of the account ${account_id}` },
    ],
  }
}
