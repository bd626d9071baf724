import { INVITATION_DAYS } from '#contract/invitations.ts'
import type { Language } from '#contract/user-settings.ts'
import type { MailContent } from '../mails/mail-templates.ts'
import { translate } from '../mails/translate.ts'

/** To an invited person. */
export function invitationMail(
  language: Language,
  { name, company, href }: { name: string | null; company: string; href: string },
): MailContent {
  const text = translate(language, 'invitation_text', { company, days: INVITATION_DAYS })
  return {
    language,
    subject: translate(language, name ? 'invitation_subject' : 'invitation_subject_nobody', {
      name: name ?? '',
      company,
    }),
    preview: text,
    parts: [
      { type: 'text', text },
      { type: 'button', label: translate(language, 'invitation_button', { company }), href },
    ],
  }
}
