import type { Context } from '../../context.ts'
import type { Change } from '../../platform/db/change.ts'
import { deriveId } from '../../platform/secrets.ts'
import type { MailContent } from '../mails/mail-templates.ts'
import { writeMail } from '../mails/mails.ts'
import { say } from '../mails/words.ts'
import { languageOf } from '../users/user-settings.ts'
import { listUsers } from '../users/users.ts'

/** Tells the admins that a webhook was switched off because it failed for three days. */
export async function mailSwitchedOff(
  context: Context,
  open: Change,
  { account_id, subscription_id }: { account_id: string; subscription_id: string },
): Promise<void> {
  const { webhook_url, switched_off_at } = await open.db
    .selectFrom('event_subscriptions')
    .select(['webhook_url', 'switched_off_at'])
    .where('account_id', '=', account_id)
    .where('id', '=', subscription_id)
    .executeTakeFirstOrThrow()
  const href = `${context.config.baseUrl}/developers/event-subscriptions/${subscription_id}`
  for (const { id, email, role, disabled_at } of await listUsers(open.db, account_id)) {
    if (role !== 'admin' || disabled_at) continue
    await writeMail(context, open, account_id, {
      id: deriveId(`webhook ${subscription_id} off ${switched_off_at} ${id}`),
      kind: 'webhook_off',
      recipient: email,
      content: switchedOffMail(await languageOf(open.db, account_id, id), { url: webhook_url, href }),
    })
  }
}

/** What the mail says. */
export function switchedOffMail(
  language: MailContent['language'],
  { url, href }: { url: string; href: string },
): MailContent {
  const host = URL.parse(url)?.host ?? url
  return {
    language,
    subject: say(language, 'webhook_off_subject', { host }),
    preview: say(language, 'webhook_off_text', { host }),
    parts: [
      { type: 'text', text: say(language, 'webhook_off_text', { host }) },
      { type: 'button', label: say(language, 'webhook_off_button'), href },
    ],
  }
}
