import type { Language } from '#contract/user-settings.ts'
import type { MailContent } from '../mails/mail-templates.ts'
import { say } from '../mails/words.ts'

/** To a newly registered user: confirm your address. */
export function verificationMail(language: Language, href: string): MailContent {
  return {
    language,
    subject: say(language, 'verification_subject'),
    preview: say(language, 'verification_text'),
    parts: [
      { type: 'text', text: say(language, 'verification_text') },
      { type: 'button', label: say(language, 'verification_button'), href },
    ],
  }
}

/** To a user who forgot their password. */
export function resetMail(language: Language, href: string, hours: number): MailContent {
  const text = say(language, 'reset_text', { hours })
  return {
    language,
    subject: say(language, 'reset_subject'),
    preview: text,
    parts: [
      { type: 'text', text },
      { type: 'button', label: say(language, 'reset_button'), href },
      { type: 'small', text: say(language, 'reset_ignore') },
    ],
  }
}
