import { type SqlBool, sql } from 'kysely'
import type { Authorization, IntegrationName } from '#contract/connections/integrations.ts'
import { MAILBOXES } from '#contract/connections/kinds.ts'
import { NotFound } from '../../../errors.ts'
import type { ConnectedAuthorization } from '../../../integration.ts'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import type { Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { readCredentials } from './secrets.ts'

const columns = [
  'id',
  'integration',
  'inbox_id',
  'user_id',
  'label',
  'way_in',
  'last_in_at',
  'last_out_at',
  'problem',
  'problem_at',
  'paused_until',
  'notice',
  'notice_at',
  'created_at',
  'updated_at',
] as const

type AuthorizationRow = Pick<Authorization, (typeof columns)[number]> & {
  state: 'connected' | 'broken'
  receiving_problem: string | null
  receiving_problem_at: string | null
}

/** Connections of an account, oldest first, without removed ones. */
export async function listAuthorizations(db: Db, account_id: string): Promise<Authorization[]> {
  const rows = await select(db, account_id).orderBy('created_at').orderBy('id').execute()
  return rows.map(presentAuthorization)
}

/** @throws NotFound */
export async function getAuthorization(db: Db, account_id: string, id: string): Promise<Authorization> {
  const row = await select(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentAuthorization(row)
}

function select(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select(columns)
    .select(['state', 'receiving_problem', 'receiving_problem_at'])
    .where('removed_at', 'is', null)
    .$castTo<AuthorizationRow>()
}

/** A connection as shown to people. */
function presentAuthorization({
  state,
  paused_until,
  receiving_problem,
  receiving_problem_at,
  ...row
}: AuthorizationRow): Authorization {
  const isResting = paused_until !== null && Date.parse(paused_until) > Date.now()
  // Nobody writes to systems that are only looked up, so receiving nothing means nothing there.
  const isWaiting = row.way_in !== 'none' && row.way_in !== 'looked_up' && !row.last_in_at
  const problem = row.problem ?? receiving_problem
  const working = isResting ? 'resting' : problem ? 'failing' : isWaiting ? 'waiting' : 'connected'
  return {
    ...row,
    object: 'authorization',
    problem,
    problem_at: row.problem ? row.problem_at : receiving_problem_at,
    state: state === 'broken' ? 'broken' : working,
    paused_until: isResting ? paused_until : null,
  }
}

/** A condition for consumers: whether the account of an event is connected with this system. */
export function isConnected(integration: IntegrationName) {
  return sql<SqlBool>`exists (
    select from authorizations a
    where a.account_id = events.account_id and a.integration = ${integration} and a.state = 'connected'
      and a.removed_at is null)`
}

/** Whether mail can be sent through a mailbox: of this inbox or this sender, or any of the account. */
export async function hasMailbox(
  db: Db,
  account_id: string,
  sender?: { inbox_id: string | undefined; user_id: number },
): Promise<boolean> {
  const connected = await listAuthorizations(db, account_id)
  const mailboxes = connected.filter(({ integration }) => MAILBOXES.includes(integration))
  if (!sender) return mailboxes.length > 0
  return mailboxes.some(({ inbox_id, user_id }) =>
    inbox_id === null ? user_id === sender.user_id : inbox_id === sender.inbox_id,
  )
}

/** The connection with an address, in any account. */
export function findByAddress(db: Db, integration: IntegrationName, address: string) {
  return acrossAccounts(db, 'an event tells nothing but the address, which is unique in the installation')
    .selectFrom('authorizations')
    .select(['account_id', 'id'])
    .where('integration', '=', integration)
    .where('address', '=', address)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

/** An integration of the whole account in the shape of existing clients. */
export async function findAccountAuthorization(db: Db, account_id: string, integration: IntegrationName) {
  const row = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select(['id', 'created_at', 'token_type', 'scope'])
    .where('integration', '=', integration)
    .where('inbox_id', 'is', null)
    .where('slot', '=', '')
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

type Secrets = { db: Db; keys: Keyring }

/** A connection with its credentials. Undefined if it was removed, or its credentials cannot be decrypted. */
export async function loadConnected<Connection extends ConnectedAuthorization = ConnectedAuthorization>(
  { db, keys }: Secrets,
  account_id: string,
  id: string,
): Promise<Connection | undefined> {
  const row = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select([
      'account_id',
      'id',
      'integration',
      'inbox_id',
      'user_id',
      'label',
      'address',
      'settings',
      'cursor',
      'created_at',
    ])
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const credentials = await readCredentials(db, keys, { account_id, id })
  return credentials && ({ ...row, credentials } as ConnectedAuthorization as Connection)
}

/** An integration's connection in an inbox, or in the whole account. */
export async function findConnected<Connection extends ConnectedAuthorization = ConnectedAuthorization>(
  secrets: Secrets,
  account_id: string,
  key: { integration: IntegrationName; inbox_id: string | null; slot?: string },
): Promise<Connection | undefined> {
  const row = await ofAccount(secrets.db, account_id)
    .selectFrom('authorizations')
    .select('id')
    .where('integration', '=', key.integration)
    .where('inbox_id', 'is not distinct from', key.inbox_id)
    .where('slot', '=', key.slot ?? '')
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row && loadConnected<Connection>(secrets, account_id, row.id)
}
