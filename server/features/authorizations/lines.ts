import type { Context } from '../../context.ts'
import { Reconnect } from '../../integration.ts'
import type { Line, WantedLine } from '../../platform/outbound/lines.ts'
import { loadConnected } from './authorizations.ts'
import { noteFailure, noteWell } from './health.ts'

/** The long-lived connections that should be open. */
export async function wantedLines(context: Context): Promise<WantedLine[]> {
  const live = [...context.integrations.values()].filter((one) => one.connect).map(({ name }) => name)
  if (live.length === 0) return []
  const rows = await context.db
    .selectFrom('authorizations')
    .select(['account_id', 'id', 'updated_at'])
    .where('integration', 'in', live)
    .where('state', '=', 'connected')
    .where('removed_at', 'is', null)
    .execute()
  return rows.map(({ updated_at, ...whose }) => ({
    name: `authorization ${whose.id}`,
    revision: updated_at,
    open: (signal) => openLine(context, whose, signal),
    onTrouble: (error) => noteFailure(context, whose, error),
  }))
}

async function openLine(
  context: Context,
  whose: { account_id: string; id: string },
  signal: AbortSignal,
): Promise<Line> {
  const authorization = await loadConnected(context, whose.account_id, whose.id)
  if (!authorization) throw new Reconnect('What opens it cannot be decrypted on this server. Connect it again.')
  const asked_at = new Date()
  const line = await context.integrations.get(authorization.integration)!.connect!(context, authorization, signal)
  await context.change((open) => noteWell(open, whose, asked_at))
  return line
}
