import type { MailContent } from '../../mail/mails/mail-templates.ts'
import { translate } from '../../mail/mails/translate.ts'

/** To a newly registered user: confirm your address. */
export function verificationMail(language: string, href: string): MailContent {
  return {
    language,
    subject: translate(language, 'verification_subject'),
    preview: translate(language, 'verification_text'),
    parts: [
      { type: 'text', text: translate(language, 'verification_text') },
      { type: 'button', label: translate(language, 'verification_button'), href },
    ],
  }
}

/** To a user who forgot their password. */
export function resetMail(language: string, href: string, hours: number): MailContent {
  const text = translate(language, 'reset_text', { count: hours })
  return {
    language,
    subject: translate(language, 'reset_subject'),
    preview: text,
    parts: [
      { type: 'text', text },
      { type: 'button', label: translate(language, 'reset_button'), href },
      { type: 'small', text: translate(language, 'reset_ignore') },
    ],
  }
}

/** To a user whose lost second factor was removed by an admin or the operator. */
export function twoFactorRemovedMail(language: string): MailContent {
  const text = translate(language, 'two_factor_removed_text')
  return {
    language,
    subject: translate(language, 'two_factor_removed_subject'),
    preview: text,
    parts: [
      { type: 'text', text },
      { type: 'small', text: translate(language, 'two_factor_removed_ignore') },
    ],
  }
}
