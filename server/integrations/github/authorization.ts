import type { GithubAuthorization, GithubRepository, GithubSettings } from '#contract/integrations/github.ts'
import type { Context } from '../../context.ts'
import { NotFound } from '../../errors.ts'
import { findAccountAuthorization } from '../../features/connections/authorizations/authorizations.ts'
import { saveSettings } from '../../features/connections/authorizations/connect.ts'
import type { User } from '../../platform/caller.ts'
import { findGithub } from './client.ts'
import { listRepositories } from './issues.ts'

/** The connection as shown to the team. */
export async function describeGithub(context: Context, account_id: string): Promise<GithubAuthorization | null> {
  const row = await findAccountAuthorization(context.db, account_id, 'github')
  const connection = row && (await findGithub(context, account_id))
  if (!connection) return null
  const { label, settings, credentials } = connection
  return { ...row, label, kind: credentials.kind, settings: { closes_issues: settings.closes_issues === true } }
}

/** Changes its settings. @throws NotFound */
export async function saveGithubSettings(
  context: Context,
  caller: User,
  id: string,
  settings: GithubSettings,
): Promise<GithubAuthorization> {
  const connection = await findGithub(context, caller.account_id)
  if (connection?.id !== id) throw new NotFound()
  await context.change((tx) => saveSettings(tx, caller, id, { ...connection.settings, ...settings }))
  return (await describeGithub(context, caller.account_id))!
}

/** What the connection can access; empty if GitHub cannot be asked, as existing clients expect. */
export async function listVisible(context: Context, account_id: string): Promise<GithubRepository[]> {
  const connection = await findGithub(context, account_id)
  if (!connection) return []
  return listRepositories(context, connection).catch((error: unknown) => {
    context.log.info({ err: error }, 'The repositories could not be listed from GitHub')
    return []
  })
}
