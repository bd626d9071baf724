import type { SlackAuthorization } from '#contract/integrations/slack.ts'
import type { Context } from '../../context.ts'
import { changeAuthorizationSettings } from '../../features/connections/authorizations/connect.ts'
import type { User } from '../../platform/caller.ts'
import { loadSlack, presentSlack, type Slack } from './authorization.ts'

interface Switches {
  sync_all_incoming_threads?: boolean | undefined
  sync_by_emoji_tagging?: boolean | undefined
}

/** Changes which messages in a channel with customers become conversations. */
export async function changeSettings(
  context: Context,
  caller: User,
  { account_id, id, settings }: Slack,
  { sync_all_incoming_threads, sync_by_emoji_tagging }: Switches,
): Promise<SlackAuthorization> {
  const changed = {
    ...settings,
    ...(sync_all_incoming_threads !== undefined && { sync_all_incoming_threads }),
    ...(sync_by_emoji_tagging !== undefined && { sync_by_emoji_tagging }),
  }
  await context.change((tx) => changeAuthorizationSettings(tx, caller, id, changed))
  return presentSlack(context.db, (await loadSlack(context, account_id, id))!)
}
