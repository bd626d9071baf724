import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Context } from '../../../context.ts'
import { findPublicAccount } from '../../accounts/accounts/accounts.ts'
import type { Brand } from '../../mail/mails/mail-templates.ts'
import { findWidgetSettings } from '../../widget/inboxes/widget-settings.ts'
import { loadCompanyProfiles } from '../messages/for-customer.ts'

/**
 * Who writes to the customer of a conversation by mail: the account, the company where it stands for its people, and how
 * the mail looks. Undefined if the account no longer exists.
 */
export async function loadSender(context: Context, { account_id, id, inbox_id }: Conversation) {
  const account = await findPublicAccount(context, account_id, new Date())
  if (!account) return undefined
  const company = (await loadCompanyProfiles(context.db, account_id, [id])).get(id)
  const settings = await findWidgetSettings(context.db, account_id, inbox_id)
  const brand: Brand = {
    name: company?.name ?? account.company_name,
    logo: settings?.logo ?? account.company_logo_url,
    color: settings?.color ?? null,
  }
  return { account, company, brand }
}
