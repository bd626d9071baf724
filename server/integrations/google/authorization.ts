import type { GoogleAuthorization, GoogleClient } from '#contract/integrations/google.ts'
import type { Context } from '../../context.ts'
import { Forbidden, NotFound } from '../../errors.ts'
import { getAuthorization, loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { disconnect } from '../../features/connections/integrations/disconnect.ts'
import type { User } from '../../platform/caller.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { findGmail, findPersonalGmail, findSheets, type GoogleConnection } from './client.ts'
import { sheetsOf } from './sheets.ts'

interface ConnectionFilter {
  client: GoogleClient
  type?: string | undefined
  inbox_id?: string | undefined
}

/** The connection for existing clients, or null. */
export async function findGoogle(
  context: Context,
  { account_id, user_id }: User,
  { client, type, inbox_id }: ConnectionFilter,
): Promise<GoogleAuthorization | null> {
  const connection =
    client === 'sheets'
      ? await findSheets(context, account_id)
      : type === 'personal'
        ? await findPersonalGmail(context, account_id, user_id)
        : await findGmail(context, account_id, inbox_id)
  return connection ? describe(context, connection) : null
}

/** A connection in the shape of clients. */
export async function describe(context: Context, connection: GoogleConnection): Promise<GoogleAuthorization> {
  const { account_id, id, inbox_id, user_id, created_at, integration, cursor } = connection
  const { updated_at } = await getAuthorization(context.db, account_id, id)
  const row = await ofAccount(context.db, account_id)
    .selectFrom('authorizations')
    .select('scope')
    .where('id', '=', id)
    .executeTakeFirst()
  const { adds_customers, spreadsheet_url } = sheetsOf(connection)
  return {
    id,
    created_at,
    updated_at: cursor?.synced_at ?? updated_at,
    account_id,
    inbox_id,
    user_id,
    scope: row?.scope ?? null,
    sheets: integration === 'google_sheets' ? { adds_customers, spreadsheet_url } : null,
  }
}

/** Disconnects Gmail or Sheets; a personal mailbox only by its owner. @throws NotFound; Forbidden */
export async function disconnectGoogle(context: Context, caller: User, id: string): Promise<null> {
  const authorization = await getAuthorization(context.db, caller.account_id, id)
  if (authorization.integration !== 'gmail' && authorization.integration !== 'google_sheets') throw new NotFound()
  const isOwn =
    authorization.inbox_id === null && authorization.integration === 'gmail' && authorization.user_id === caller.user_id
  if (!isOwn && caller.role !== 'admin')
    throw new Forbidden('Only admins may disconnect integrations of the whole team.')
  return disconnect(context, caller, id, { discard: false })
}

/** A Google connection by its id. @throws NotFound */
export async function getGoogle(context: Context, account_id: string, id: string): Promise<GoogleConnection> {
  const connection = await loadConnected<GoogleConnection>(context, account_id, id)
  if (!connection) throw new NotFound()
  return connection
}
