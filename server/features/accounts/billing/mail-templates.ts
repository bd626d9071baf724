import type { Language } from '#contract/accounts/user-settings.ts'
import type { MailContent } from '../../mail/mails/mail-templates.ts'
import { translate, type Word } from '../../mail/mails/translate.ts'

/** To admins: a payment failed, and until when nothing changes. */
export function failedMail(language: Language, { href, until }: { href: string; until: string }): MailContent {
  return billingMail(language, 'payment_failed', { date: day(language, until) }, href)
}

/** To admins: there was no payment in time, so the account is on the starter plan now. */
export function endedMail(language: Language, { href }: { href: string }): MailContent {
  return billingMail(language, 'plan_ended', {}, href)
}

/** To admins, two weeks ahead: the plan keeps closed conversations for a limited time. */
export function retentionMail(
  language: Language,
  { href, days, from }: { href: string; days: number; from: string },
): MailContent {
  return billingMail(language, 'retention', { days, date: day(language, from) }, href)
}

type BillingMailKind = 'payment_failed' | 'plan_ended' | 'retention'

function billingMail(
  language: Language,
  about: BillingMailKind,
  values: Record<string, string | number>,
  href: string,
) {
  const word = (part: 'subject' | 'text'): Word => `${about}_${part}`
  const text = translate(language, word('text'), values)
  return {
    language,
    subject: translate(language, word('subject'), values),
    preview: text,
    parts: [
      { type: 'text', text },
      { type: 'button', label: translate(language, 'billing_button'), href },
    ],
  } satisfies MailContent
}

/** In the specification's format: `MMMM DD, YYYY`. */
function day(language: Language, iso: string): string {
  const locale = language === 'vi' ? 'vi-VN' : 'en-US'
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))
}
