import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { mailAdmins } from '../../mail/mails/mail-admins.ts'
import type { MailContent } from '../../mail/mails/mail-templates.ts'
import { translate } from '../../mail/mails/translate.ts'

/** Notifies admins that a webhook was switched off after failing for three days. */
export async function mailSwitchedOff(
  context: Context,
  tx: Change,
  { account_id, subscription_id }: { account_id: string; subscription_id: string },
): Promise<void> {
  const { webhook_url, switched_off_at } = await ofAccount(tx.db, account_id)
    .selectFrom('event_subscriptions')
    .select(['webhook_url', 'switched_off_at'])
    .where('id', '=', subscription_id)
    .executeTakeFirstOrThrow()
  const href = `${context.config.baseUrl}/developers/event-subscriptions/${subscription_id}`
  const about = `${subscription_id} ${switched_off_at}`
  await mailAdmins(context, tx, account_id, { kind: 'webhook_off', about }, (language) =>
    switchedOffMail(language, { url: webhook_url, href }),
  )
}

/** The content of that mail. */
export function switchedOffMail(
  language: MailContent['language'],
  { url, href }: { url: string; href: string },
): MailContent {
  const host = URL.parse(url)?.host ?? url
  return {
    language,
    subject: translate(language, 'webhook_off_subject', { host }),
    preview: translate(language, 'webhook_off_text', { host }),
    parts: [
      { type: 'text', text: translate(language, 'webhook_off_text', { host }) },
      { type: 'button', label: translate(language, 'webhook_off_button'), href },
    ],
  }
}
