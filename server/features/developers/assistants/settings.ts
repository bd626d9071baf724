import type { AssistantSettings, AssistantSettingsChanges } from '#contract/developers/assistants.ts'
import type { Config } from '../../../config.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { recordChanges } from '../../accounts/audit/audit.ts'

/** The address of the MCP server, which is also what tokens are meant for. */
export function resourceUrl({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return `${baseUrl}/mcp`
}

/** Whether tokens are asked for this server, which is also meant if none is named (RFC 8707). */
export function isOwnResource(config: Pick<Config, 'baseUrl'>, resource: string | null | undefined): boolean {
  return !resource || resource.replace(/\/$/, '') === resourceUrl(config)
}

/** Whether assistants may connect, and send. Neither, until an admin has decided so. */
export async function loadAssistantSettings(
  db: Db,
  config: Pick<Config, 'baseUrl'>,
  account_id: string,
): Promise<AssistantSettings> {
  const row = await ofAccount(db, account_id)
    .selectFrom('assistant_settings')
    .select(['is_enabled', 'may_send'])
    .executeTakeFirst()
  return { is_enabled: false, may_send: false, ...row, url: resourceUrl(config) }
}

/** Changes the settings. Recorded in the audit trail. */
export async function changeAssistantSettings(
  tx: Change,
  config: Pick<Config, 'baseUrl'>,
  caller: User,
  changes: AssistantSettingsChanges,
): Promise<AssistantSettings> {
  const { account_id } = caller
  const before = await loadAssistantSettings(tx.db, config, account_id)
  const after = {
    is_enabled: changes.is_enabled ?? before.is_enabled,
    may_send: changes.may_send ?? before.may_send,
  }
  await tx.db
    .insertInto('assistant_settings')
    .values({ account_id, ...after })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(after))
    .execute()
  const names = (['is_enabled', 'may_send'] as const).filter((name) => before[name] !== after[name])
  const changed = Object.fromEntries(names.map((name) => [name, { from: before[name], to: after[name] }]))
  await recordChanges(tx, caller, { action: 'assistants.changed' }, changed)
  return { ...before, ...after }
}
