import type { PublicAccount } from '#contract/accounts/accounts.ts'
import type { WidgetSettingsRow } from '#contract/widget/widget-settings.ts'
import type { WorkingHours } from '#contract/widget/working-hours.ts'
import type { Context } from '../../../context.ts'
import { findPublicAccount, isAccount } from '../../accounts/accounts/accounts.ts'
import { hasArticles } from '../../help/help-center/help-center.ts'
import { chooseInbox } from '../inboxes/inboxes.ts'
import { findWidgetSettings } from '../inboxes/widget-settings.ts'

export interface FoundWidget {
  settings: WidgetSettingsRow
  account: PublicAccount
  /** Whether the chat shows articles. */
  has_articles: boolean
}

/** The widget settings of an inbox, by default the primary one; undefined if there is no such account or inbox. */
export async function findWidget(
  { db, config }: Pick<Context, 'db' | 'config'>,
  account_id: string,
  inbox_id: string | null | undefined,
): Promise<FoundWidget | undefined> {
  if (!(await isAccount(db, account_id))) return undefined
  const inbox = await chooseInbox(db, account_id, inbox_id)
  const settings = inbox && (await findWidgetSettings(db, account_id, inbox.id))
  if (!settings) return undefined
  const own_hours = inbox.working_hours as unknown as WorkingHours[] | null
  const [account, has_articles] = await Promise.all([
    findPublicAccount({ db, config }, account_id, new Date(), own_hours),
    settings.offers_articles && hasArticles(db, account_id),
  ])
  return account && { settings, account, has_articles }
}
