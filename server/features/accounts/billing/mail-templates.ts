import type { MailContent } from '../../mail/mails/mail-templates.ts'
import { type TextKey, translate } from '../../mail/mails/translate.ts'

/** To admins: a payment failed, and until when nothing changes. */
export function failedMail(language: string, { href, until }: { href: string; until: string }): MailContent {
  return billingMail(language, 'payment_failed', { date: day(language, until) }, href)
}

/** To admins: there was no payment in time, so the account is on the starter plan now. */
export function endedMail(language: string, { href }: { href: string }): MailContent {
  return billingMail(language, 'plan_ended', {}, href)
}

/** To admins, two weeks ahead: the plan keeps closed conversations for a limited time. */
export function retentionMail(
  language: string,
  { href, days, from }: { href: string; days: number; from: string },
): MailContent {
  return billingMail(language, 'retention', { count: days, date: day(language, from) }, href)
}

type BillingMailKind = 'payment_failed' | 'plan_ended' | 'retention'

function billingMail(language: string, about: BillingMailKind, values: Record<string, string | number>, href: string) {
  const key = (part: 'subject' | 'text'): TextKey => `${about}_${part}`
  const text = translate(language, key('text'), values)
  return {
    language,
    subject: translate(language, key('subject'), values),
    preview: text,
    parts: [
      { type: 'text', text },
      { type: 'button', label: translate(language, 'billing_button'), href },
    ],
  } satisfies MailContent
}

/** In the specification's format: `MMMM DD, YYYY`. */
function day(language: string, iso: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))
}
