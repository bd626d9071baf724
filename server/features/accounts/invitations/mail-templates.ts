import { INVITATION_DAYS } from '#contract/accounts/invitations.ts'
import type { MailContent } from '../../mail/mails/mail-templates.ts'
import { translate } from '../../mail/mails/translate.ts'

/** To an invited person. */
export function invitationMail(
  language: string,
  { name, company, href }: { name: string | null; company: string; href: string },
): MailContent {
  const text = translate(language, 'invitation_text', { company, count: INVITATION_DAYS })
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
